"""The placement engine: facts and workloads in, a decision and its reasons out.

Plain Python. It owns the federation file, the optimisation, the prediction of Karmada's division
and the Karmada objects that reproduce a decision. It imports no Pulumi and makes no resource:
that is what ``components/`` does with what is decided here.
"""

__version__ = "0.1.0"
"""The engine's version; part of a decision's input hash."""
