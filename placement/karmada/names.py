"""Names, and what Kubernetes says of a wrong one: DNS labels and subdomains, label values, paths.

Owns the rules for names of objects, clusters, ports and label values. Label keys, which are made
of two parts, stand in ``label_key``.

Sources: ``pkg/util/validation/validation.go``, ``pkg/api/validate/content/kube.go`` and
``pkg/api/validation/path/name.go`` in ``k8s.io/apimachinery``, in the version of Karmada 1.18;
``ValidateClusterName`` in ``pkg/apis/cluster/validation/validation.go`` of Karmada.
"""

import re
from typing import Final

LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
"""A DNS label of RFC 1123, as a regular expression."""

SUBDOMAIN: Final = rf"{LABEL}(\.{LABEL})*"
"""A DNS subdomain of RFC 1123, as a regular expression."""

SUBDOMAIN_BYTES: Final = 253
SUBDOMAIN_RULE: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    f"for validation is '{SUBDOMAIN}')"
)

_LABEL_BYTES: Final = 63
_LABEL_RULE: Final = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    f"for validation is '{LABEL}')"
)
_DNS_1035: Final = "[a-z]([-a-z0-9]*[a-z0-9])?"
_DNS_1035_RULE: Final = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    f"regex used for validation is '{_DNS_1035}')"
)
_VALUE: Final = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?"
_VALUE_RULE: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    f"or '12345', regex used for validation is '{_VALUE}')"
)
_CLUSTER_BYTES: Final = 48


def dns_label_errors(name: str) -> list[str]:
    """Return what is wrong with a DNS label, such as the name of a namespace."""
    errors = _length_errors(name, _LABEL_BYTES)
    if not re.fullmatch(LABEL, name):
        dotted = re.fullmatch(SUBDOMAIN, name)
        errors.append("must not contain dots" if dotted else _LABEL_RULE)
    return errors


def dns_subdomain_errors(name: str) -> list[str]:
    """Return what is wrong with a DNS subdomain, such as the name of most objects."""
    errors = _length_errors(name, SUBDOMAIN_BYTES)
    if not re.fullmatch(SUBDOMAIN, name):
        errors.append(SUBDOMAIN_RULE)
    return errors


def dns_1035_errors(name: str) -> list[str]:
    """Return what is wrong with a DNS label that starts with a letter, as a Service's name does."""
    errors = _length_errors(name, _LABEL_BYTES)
    if not re.fullmatch(_DNS_1035, name):
        errors.append(_DNS_1035_RULE)
    return errors


def label_value_errors(value: str) -> list[str]:
    """Return what is wrong with the value of a label."""
    errors = []
    if len(value.encode()) > _LABEL_BYTES:
        errors.append(f"must be no more than {_LABEL_BYTES} bytes")
    if not re.fullmatch(_VALUE, value):
        errors.append(_VALUE_RULE)
    return errors


def path_segment_errors(name: str) -> list[str]:
    """Return why a name cannot stand in the path of a URL."""
    if name in (".", ".."):
        return [f"may not be '{name}'"]
    return [f"may not contain '{illegal}'" for illegal in ("/", "%") if illegal in name]


def cluster_name_errors(name: str) -> list[str]:
    """Return what is wrong with the name of a member, which becomes part of a namespace's name."""
    if not name:
        return ["must be not empty"]
    if errors := _length_errors(name, _CLUSTER_BYTES):
        return errors
    return dns_label_errors(name)


def _length_errors(name: str, most: int) -> list[str]:
    # Kubernetes counts bytes and says characters.
    return [f"must be no more than {most} characters"] if len(name.encode()) > most else []
