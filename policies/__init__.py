"""The policy pack: what must never reach a federation, refused before it is written.

Owns the rules, each with a code, an enforcement level and a page in ``docs/policies``. The rules
are plain functions over what the engine says of a resource; ``adapter`` and ``__main__`` alone
know the policy SDK, whose dependencies and those of the solver exclude each other. So the pack has
an environment of its own, in which ``placement.division`` and ``placement.karmada`` work too.
"""
