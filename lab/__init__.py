"""A real federation on one machine, of ordinary processes on 127.0.0.1.

``python -m lab up`` brings one up; :class:`Lab` is the same for tests and programs.
"""

from lab.lifecycle import ROOT, Lab
from lab.processes.health import ProcessStatus

__all__ = ["ROOT", "Lab", "ProcessStatus"]
