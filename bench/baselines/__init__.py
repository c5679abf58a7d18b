"""What users have without the engine: the ways to place that its answers are held against.

Each is a function from a federation to replicas by workload and cluster, and one that says where
these are after a loss. All are given what the engine's filters leave (`eligible.py`), as the
cluster affinity that a careful user would write by hand: what is compared is the choice among the
clusters that will do, and not the knowledge of which will.
"""
