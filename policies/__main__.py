"""Serves the policy pack to the engine: ``--policy-pack policies/pack`` runs this.

It makes the checkout importable by itself, since a language host runs the folder as well.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pulumi_policy import PolicyPack

from policies.adapter import policies
from policies.rules import RULES

if __name__ == "__main__":
    PolicyPack(name="federation", policies=policies(RULES))
