"""What a reviewer reads before a change is applied.

Owns the commands of ``python -m review``. It decides no placement and changes nothing; what is
wrong with an object is said by ``placement.karmada``.
"""
