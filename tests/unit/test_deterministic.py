"""The same file is the same decision, byte for byte, on preview and on up."""

from tests.unit.fingerprint import fingerprint


def test_hash_seed_threads_and_locale_change_nothing() -> None:
    """Under another hash seed, thread count, locale and time zone the bytes are the same."""
    plain = fingerprint({"PYTHONHASHSEED": "0"})
    other = fingerprint(
        {
            "PYTHONHASHSEED": "4711",
            "OMP_NUM_THREADS": "4",
            "OPENBLAS_NUM_THREADS": "4",
            "LC_ALL": "C",
            "TZ": "Asia/Tokyo",
        }
    )
    assert plain.endswith(("optimal", "gap"))
    assert other == plain
