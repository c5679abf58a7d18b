"""The rehearsal of a carrier: each instance of its control plane killed in turn, under calls.

Owns which parts are killed and what counts as held: no call fails, no write that was acknowledged
is lost. How long nothing is scheduled is measured, and judged by the reader.
"""

from drill.carrier.rehearsal import PARTS, Rehearsal
from drill.carrier.rows import Row

__all__ = ["PARTS", "Rehearsal", "Row"]
