"""Everything that is a Pulumi resource, a folder for each plane.

Owns the translation of settings and decisions into resources. It decides no placement: that is
``placement/``, which knows nothing of Pulumi.
"""
