"""The client of an API server that the lab itself uses.

Owns the form of a request (a manifest in, plain values out) and of its errors. It is the dynamic
client of the ``kubernetes`` package with the lab's field manager; what is applied is in
``objects`` and ``registration``.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kubernetes import config
from kubernetes.client.exceptions import ApiException
from kubernetes.dynamic import DynamicClient
from kubernetes.dynamic.exceptions import ResourceNotFoundError
from kubernetes.dynamic.resource import ResourceList
from urllib3.exceptions import HTTPError

from placement.faults import FederationError

FIELD_MANAGER = "federation-lab"
"""Who owns the fields that the lab applies."""

_TIMEOUT_SECONDS = 30
_NOT_FOUND, _CONFLICT = 404, 409

Manifest = Mapping[str, Any]


class Api:
    """A client of one API server.

    Args:
        kubeconfig: how to reach it, and as whom.
        discovery: the file for what it serves. The client's own choice, a file in the folder for
            temporary files by address alone, would be that of an earlier lab with the same port.

    Raises:
        FederationError: the server is not reached.
    """

    def __init__(self, kubeconfig: Path, discovery: Path) -> None:
        discovery.parent.mkdir(parents=True, exist_ok=True)
        self._name = kubeconfig.stem
        connection = config.new_client_from_config(str(kubeconfig))
        self._client = self._told("discovery", lambda: DynamicClient(connection, str(discovery)))

    def serves(self, api_version: str, kind: str) -> bool:
        """Whether the server has *kind* of *api_version* at the moment.

        Raises:
            FederationError: the server is not reached.
        """
        try:
            self._told("discovery", lambda: self._find(api_version, kind))
        except ResourceNotFoundError:
            return False
        return True

    def kinds(self) -> list[tuple[str, str]]:
        """``apiVersion`` and ``kind`` of everything that can be listed, each kind once.

        Raises:
            FederationError: the server is not reached.
        """
        found = self._told("discovery", self._client.resources.search)
        return sorted(
            {
                (str(resource.group_version), str(resource.kind))
                for resource in found
                # The client knows a list of each kind as a kind of its own.
                if not isinstance(resource, ResourceList)
                and resource.preferred
                and "list" in resource.verbs
                and "/" not in resource.name
            }
        )

    def namespaced(self, api_version: str, kind: str) -> bool:
        """Whether objects of *kind* are in a namespace.

        Raises:
            FederationError: the server is not reached, or has no such kind.
        """
        try:
            found = self._told("discovery", lambda: self._find(api_version, kind))
        except ResourceNotFoundError as error:
            raise self._unserved(api_version, kind) from error
        return bool(found.namespaced)

    def apply(self, manifest: Manifest, *, dry_run: bool = False) -> dict[str, Any]:
        """Apply *manifest*, server side: the object, made if it was not there.

        Raises:
            FederationError: the server is not reached, or refuses.
        """
        extra = {"dry_run": "All"} if dry_run else {}
        return self._send("server_side_apply", manifest, **_APPLY, **extra)

    def apply_status(self, manifest: Manifest) -> dict[str, Any]:
        """Apply the status of *manifest*, whose object is there.

        Raises:
            FederationError: the server is not reached, or refuses.
        """
        return self._send("server_side_apply", manifest, subresource="status", **_APPLY)

    def create(self, manifest: Manifest, *, dry_run: bool = False) -> dict[str, Any] | None:
        """Make the object of *manifest*; None where it is there already.

        Raises:
            FederationError: the server is not reached, or refuses.
        """
        extra = {"dry_run": "All"} if dry_run else {}
        try:
            return self._send("create", manifest, **extra)
        except RefusedError as error:
            if error.status == _CONFLICT:
                return None
            raise

    def patch(self, manifest: Manifest) -> dict[str, Any]:
        """Merge *manifest*, part of an object that is there, into it (JSON merge patch).

        Raises:
            FederationError: the server is not reached, or refuses.
        """
        return self._send("patch", manifest, content_type="application/merge-patch+json")

    def get(
        self, api_version: str, kind: str, name: str, namespace: str | None = None
    ) -> dict[str, Any] | None:
        """The object *name*; None where there is none.

        Raises:
            FederationError: the server is not reached, or refuses.
        """
        try:
            return self._ask("get", api_version, kind, name=name, namespace=namespace)
        except RefusedError as error:
            if error.status == _NOT_FOUND:
                return None
            raise

    def list(
        self, api_version: str, kind: str, namespace: str | None = None, labels: str = ""
    ) -> list[dict[str, Any]]:
        """The objects of *kind*, of all namespaces unless one is given.

        Raises:
            FederationError: the server is not reached, or refuses.
        """
        extra = {"label_selector": labels} if labels else {}
        items: list[dict[str, Any]] = self._ask(
            "get", api_version, kind, namespace=namespace, **extra
        )["items"]
        return items

    def delete(self, api_version: str, kind: str, name: str, namespace: str | None = None) -> None:
        """Delete the object *name*, if it is there, and then what it owns.

        A Job's own default would leave its binding behind, and so the copies in the members.

        Raises:
            FederationError: the server is not reached, or refuses.
        """
        try:
            self._ask(
                "delete",
                api_version,
                kind,
                name=name,
                namespace=namespace,
                propagation_policy="Background",
            )
        except RefusedError as error:
            if error.status != _NOT_FOUND:
                raise

    def token(self, service_account: str, namespace: str, seconds: int) -> str:
        """A new token of *service_account* that holds for *seconds*.

        Raises:
            FederationError: the server is not reached, or refuses.
        """
        manifest = {
            "apiVersion": "authentication.k8s.io/v1",
            "kind": "TokenRequest",
            "metadata": {"name": service_account, "namespace": namespace},
            "spec": {"expirationSeconds": seconds},
        }
        path = f"/api/v1/namespaces/{namespace}/serviceaccounts/{service_account}/token"
        answer = self._told(
            f"POST {path}",
            lambda: self._client.request("post", path, body=manifest, serialize=False),
        )
        return str(json.loads(answer.data)["status"]["token"])

    def _send(self, verb: str, manifest: Manifest, **extra: Any) -> dict[str, Any]:
        metadata = manifest["metadata"]
        return self._ask(
            verb,
            manifest["apiVersion"],
            manifest["kind"],
            body=dict(manifest),
            name=metadata["name"],
            namespace=metadata.get("namespace"),
            **extra,
        )

    def _ask(self, verb: str, api_version: str, kind: str, **parameters: Any) -> dict[str, Any]:
        """What the server answers, as plain values."""
        subresource = parameters.pop("subresource", None)
        name = parameters.get("name")
        if verb == "create":
            del parameters["name"]

        def call() -> Any:
            found = self._find(api_version, kind)
            resource = found.subresources[subresource] if subresource else found
            method = getattr(self._client, verb)
            return method(
                resource, serialize=False, _request_timeout=_TIMEOUT_SECONDS, **parameters
            )

        try:
            answer = self._told(f"{verb} {kind} {name or ''}", call)
        except ResourceNotFoundError as error:
            raise self._unserved(api_version, kind) from error
        result: dict[str, Any] = json.loads(answer.data)
        return result

    def _unserved(self, api_version: str, kind: str) -> FederationError:
        return FederationError(f"{self._name}: no kind {kind} of {api_version} is served")

    def _find(self, api_version: str, kind: str) -> Any:
        return self._client.resources.get(api_version=api_version, kind=kind)

    def _told(self, what: str, call: Callable[[], Any]) -> Any:
        """What *call* gives, with the client's errors in the project's form."""
        try:
            return call()
        except ApiException as error:
            raise _refused(f"{self._name}: {what}", error) from error
        except (HTTPError, OSError) as error:
            raise FederationError(f"{self._name}: {what}: {error}") from error


_APPLY: dict[str, Any] = {"field_manager": FIELD_MANAGER, "force_conflicts": True}


class RefusedError(FederationError):
    """The server was reached and refused.

    Attributes:
        status: the HTTP status.
        causes: what is wrong with which field, as Kubernetes puts it: ``field``, ``reason``,
            ``message``; none where the refusal is of the whole.
    """

    def __init__(self, message: str, status: int, causes: Sequence[Mapping[str, str]] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.causes = causes


def _refused(what: str, error: Any) -> RefusedError:
    """The refusal in the words of a Kubernetes ``Status``, or raw where the answer is none."""
    try:
        status = json.loads(error.body)
        message, causes = status["message"], (status.get("details") or {}).get("causes") or ()
    except (ValueError, KeyError, TypeError):
        message, causes = error.reason, ()
    return RefusedError(f"{what}: {error.status} {message}", error.status, causes)
