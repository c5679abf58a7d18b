"""Compute planes: clusters that Karmada may fill, and what is on them."""
