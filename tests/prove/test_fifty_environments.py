"""The same file is the same decision, fifty times over."""

import pytest

from tests.unit.fingerprint import fingerprint


@pytest.mark.prove
def test_fifty_environments_give_the_same_bytes() -> None:
    """Fifty hash seeds, with one to four threads and three locales, give one decision."""
    found = {
        fingerprint(
            {
                "PYTHONHASHSEED": str(seed),
                "OMP_NUM_THREADS": str(1 + seed % 4),
                "OPENBLAS_NUM_THREADS": str(1 + seed % 4),
                "LC_ALL": ("C", "C.UTF-8", "POSIX")[seed % 3],
            }
        )
        for seed in range(50)
    }
    assert len(found) == 1
