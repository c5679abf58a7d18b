"""What Karmada's aggregated API server says of a Cluster.

Owns the rules for how a member is reached and where it is; those for its resource models stand in
``resource_model_validation``.

Sources: ``pkg/apis/cluster/validation/validation.go`` and
``pkg/util/lifted/validateclustertaints.go`` (Karmada 1.18).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from placement.karmada.cluster import ClusterTaint
from placement.karmada.field_errors import (
    FieldError,
    as_go,
    duplicate,
    invalid,
    not_supported,
    required,
    type_invalid,
)
from placement.karmada.go_url import parse_url
from placement.karmada.label_key import label_key_errors
from placement.karmada.metadata import metadata_errors
from placement.karmada.names import cluster_name_errors, label_value_errors
from placement.karmada.resource_model_validation import internal_models, model_errors

_FORM: Final = "; desired format: hostname, hostname:port, IP or IP:port"
_SCHEMES: Final = ("http", "https", "socks5")
_EFFECTS: Final = ("NoSchedule", "NoExecute")


def cluster_errors(manifest: Mapping[str, Any]) -> list[FieldError]:
    """Return every error of the API server on creation, sorted by field and message.

    Args:
        manifest: the whole object in wire form; the values of its spec must have the right types.
    """
    spec = manifest["spec"]
    found = [
        *metadata_errors(manifest, cluster_name_errors, namespaced=False),
        *_location_errors(spec),
        *_taint_errors(spec.get("taints") or []),
        *model_errors(spec.get("resourceModels") or [], "spec.resourceModels"),
    ]
    if endpoint := spec.get("apiEndpoint"):
        found.extend(_endpoint_errors(endpoint, "spec.apiEndpoint"))
    if proxy := spec.get("proxyURL"):
        found.extend(_proxy_errors(proxy, "spec.proxyURL"))
    for key in ("secretRef", "impersonatorSecretRef"):
        if (reference := spec.get(key)) is not None:
            found.extend(
                required(f"spec.{key}.{part}")
                for part in ("namespace", "name")
                if not reference.get(part)
            )
    return sorted(found)


def _endpoint_errors(endpoint: str, path: str) -> Iterator[FieldError]:
    try:
        url = parse_url(endpoint)
    except ValueError as error:
        yield invalid(path, endpoint, f"apiEndpoint must be a valid URL: {error}{_FORM}")
        return
    if not url.host:
        yield invalid(path, "", f"host must be provided{_FORM}")
    if url.user is not None:
        yield invalid(path, url.user, "user information is not permitted in the URL")
    if url.fragment:
        yield invalid(path, url.fragment, "fragments are not permitted in the URL")
    if url.query:
        yield invalid(path, url.query, "query parameters are not permitted in the URL")


def _proxy_errors(proxy: str, path: str) -> Iterator[FieldError]:
    try:
        scheme = parse_url(proxy).scheme
    except ValueError as error:
        yield invalid(path, proxy, f"apiEndpoint must be a valid URL: {error}")
        return
    if scheme not in _SCHEMES:
        detail = f'unsupported scheme "{scheme}", must be http, https, or socks5'
        yield invalid(path, proxy, detail)


def _location_errors(spec: Mapping[str, Any]) -> Iterator[FieldError]:
    for key in ("provider", "region"):
        yield from _value_errors(spec.get(key) or "", f"spec.{key}")
    zone, zones = spec.get("zone"), spec.get("zones") or []
    if zone and zones:
        yield type_invalid("spec.spec", _internal(spec), "Zone and Zones cannot co-exist")
    elif zone:
        yield from _value_errors(zone, "spec.Zone")
    else:
        for each in zones:
            yield from _value_errors(each, "spec.Zones")


def _value_errors(value: str, path: str) -> Iterator[FieldError]:
    if details := label_value_errors(value):
        yield invalid(path, value, "; ".join(details))


def _taint_errors(taints: Sequence[Mapping[str, Any]]) -> Iterator[FieldError]:
    seen: set[tuple[str, str]] = set()
    for index, taint in enumerate(taints):
        path = f"spec.taints[{index}]"
        key, value, effect = taint["key"], taint.get("value") or "", taint["effect"]
        for detail in label_key_errors(key):
            yield invalid(f"{path}.key", key, detail)
        if details := label_value_errors(value):
            yield invalid(f"{path}.value", value, ";".join(details))
        if not effect:
            yield required(f"{path}.effect")
        elif effect not in _EFFECTS:
            yield not_supported(f"{path}.effect", effect, _EFFECTS)
        if (key, effect) in seen:
            detail = "taints must be unique by key and effect pair"
            yield duplicate(path, as_go(taint, ClusterTaint), detail)
        seen.add((key, effect))


def _internal(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a spec as Karmada prints its internal form: Go's own names, nothing left out."""

    def secret(key: str) -> dict[str, str] | None:
        reference = spec.get(key)
        return reference and {"Namespace": reference["namespace"], "Name": reference["name"]}

    identity = {"id": spec["id"]} if spec.get("id") else {}
    header, taints, models = (spec.get(key) for key in ("proxyHeader", "taints", "resourceModels"))
    return {
        **identity,
        "SyncMode": spec["syncMode"],
        "APIEndpoint": spec.get("apiEndpoint") or "",
        "SecretRef": secret("secretRef"),
        "ImpersonatorSecretRef": secret("impersonatorSecretRef"),
        "InsecureSkipTLSVerification": bool(spec.get("insecureSkipTLSVerification")),
        "ProxyURL": spec.get("proxyURL") or "",
        "ProxyHeader": header if header is None else dict(sorted(header.items())),
        "Provider": spec.get("provider") or "",
        "Region": spec.get("region") or "",
        "Zone": spec["zone"],
        "zones": list(spec["zones"]),
        "Taints": taints if taints is None else as_go(taints, ClusterTaint),
        "ResourceModels": models if models is None else internal_models(models),
    }
