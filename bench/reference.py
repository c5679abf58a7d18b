"""Where published data are read from: the folder that REFERENCE_DIR names, at run time.

Nothing of it is copied into the project but single figures, each with its source and date.
"""

import os
from pathlib import Path

from placement.faults import BadInputError, Fault


def reference(*parts: str) -> Path:
    """A file or folder of the published data.

    Raises:
        BadInputError: REFERENCE_DIR is not set, or has no such file.
    """
    root = os.environ.get("REFERENCE_DIR", "")
    path = Path(root, *parts)
    if not root or not path.exists():
        message = f"read {root!r}; allowed a folder with {'/'.join(parts)}"
        raise BadInputError(Fault("REFERENCE_DIR", 0, "(environment)", message))
    return path
