"""Label keys, and what Kubernetes says of a wrong one.

Source: ``IsLabelKey`` in ``k8s.io/apimachinery``,
``pkg/api/validate/content``; the texts are those of the version in Karmada 1.18.
"""

import re
from typing import Final

from placement.karmada.names import SUBDOMAIN, SUBDOMAIN_BYTES, SUBDOMAIN_RULE

_NAME: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_NAME_BYTES: Final = 63
_NAME_RULE: Final = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    f"validation is '{_NAME}')"
)


def label_key_errors(key: str) -> list[str]:
    """Return what is wrong with a label key (an optional DNS prefix, ``/`` and a name)."""
    prefix, slash, name = key.rpartition("/")
    if "/" in prefix:
        prefixed = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return [f"a valid label key {_NAME_RULE} {prefixed}"]
    errors = _prefix_errors(prefix) if slash else []
    if not name:
        errors.append("name part must be non-empty")
    elif len(name.encode()) > _NAME_BYTES:
        errors.append(f"name part must be no more than {_NAME_BYTES} bytes")
    if not re.fullmatch(_NAME, name):
        errors.append(f"name part {_NAME_RULE}")
    return errors


def _prefix_errors(prefix: str) -> list[str]:
    if not prefix:
        return ["prefix part must be non-empty"]
    errors = []
    if len(prefix.encode()) > SUBDOMAIN_BYTES:
        errors.append(f"prefix part must be no more than {SUBDOMAIN_BYTES} bytes")
    if not re.fullmatch(SUBDOMAIN, prefix):
        errors.append(f"prefix part {SUBDOMAIN_RULE}")
    return errors
