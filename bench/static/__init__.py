"""The price of a static split: what even static weights cost beside the optimum, and why."""
