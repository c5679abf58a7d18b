"""The federation plane: where every replica runs, as objects on the Karmada API."""
