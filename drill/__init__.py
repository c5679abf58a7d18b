"""Rehearsals on a federation: what is broken on purpose, and what that costs its users.

Owns what each rehearsal breaks, measures and says. It mends nothing by rules of its own: the parts
of a federation come back as they would by themselves. ``carrier`` takes the control plane apart,
one instance after the other.
"""
