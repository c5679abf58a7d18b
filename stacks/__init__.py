"""Several stacks in dependency order: up, down, status.

Owns the order, read from the stack files, and that a failure stops what depends on it. What a stack
makes is the program's to say, and each run is the Pulumi CLI's own.
"""
