"""The programs that the lab and the engine tests run, built from pinned Go modules.

``python -m lab.tools`` builds what is missing; :func:`path` says where a tool is.
"""

from lab.tools.find import ROOT, path

__all__ = ["ROOT", "path"]
