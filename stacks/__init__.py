"""Several stacks in dependency order: up, down, status; and what no stack knows.

Owns the order, read from the stack files, that a failure stops what depends on it, and the search
for what lies in the cloud and in no state. What a stack makes is the program's to say, and each run
is the Pulumi CLI's own.
"""
