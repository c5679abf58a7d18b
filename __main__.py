"""Reads the selected stack's settings, builds that one plane and publishes its outputs."""

import pulumi

from components.planes import build

pulumi.run(build)
