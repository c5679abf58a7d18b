"""What is asked of the Karmada API before anything is written to it.

Owns the client, how long an answer may take, and what is said when there is none. It asks plain
questions and needs no discovery, which would cost a dozen requests.
"""

import json
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import urllib3
import yaml
from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from kubernetes.config import ConfigException

from components.federation.emitted import Key
from placement.faults import FederationError
from placement.federation.workload import Template

_POLICIES = {
    "PropagationPolicy": "propagationpolicies",
    "ClusterPropagationPolicy": "clusterpropagationpolicies",
}
_ANSWER_SECONDS = 10
_RETRIES = 2


class KarmadaApi:
    """The Karmada API of a kubeconfig.

    Raises:
        FederationError: the kubeconfig cannot be used; the message holds nothing of it.
    """

    def __init__(self, kubeconfig: str) -> None:
        api = connect(kubeconfig)
        self._host = str(api.configuration.host)
        self._core = client.CoreV1Api(api)
        self._objects = client.CustomObjectsApi(api)
        self._definitions = client.ApiextensionsV1Api(api)

    def clusters(self) -> dict[str, dict[str, Any]]:
        """Each ``Cluster`` by its name."""
        found: Any = self._ask(
            self._objects.list_cluster_custom_object,
            group="cluster.karmada.io",
            version="v1alpha1",
            plural="clusters",
        )
        return {item["metadata"]["name"]: item for item in found["items"]}

    def namespaces(self) -> set[str]:
        """The names of the namespaces."""
        found: Any = self._ask(self._core.list_namespace)
        return {item.metadata.name for item in found.items}

    def template(self, template: Template, namespace: str) -> dict[str, Any] | None:
        """The user's object that *template* names; None where it is not there yet."""
        group, _, version = template.api_version.rpartition("/")
        try:
            found: Any = self._ask(
                self._objects.get_namespaced_custom_object,
                group=group,
                version=version,
                namespace=namespace,
                plural=f"{template.kind.lower()}s",  # true of every kind that Karmada divides
                name=template.name,
            )
        except _NotFoundError:
            return None
        return dict(found)

    def bindings(self) -> dict[Key, dict[str, Any]]:
        """Each ``ResourceBinding`` by the object that it is of; none where the kind is unknown."""
        found = self._list("work.karmada.io", "v1alpha2", "resourcebindings")
        resources = [(item["spec"]["resource"], item) for item in found]
        return {(r.get("namespace", ""), r["kind"], r["name"]): item for r, item in resources}

    def policies(self) -> list[dict[str, Any]]:
        """Every policy that may claim a template, of both kinds."""
        return [
            {**item, "kind": kind}
            for kind, plural in _POLICIES.items()
            for item in self._list("policy.karmada.io", "v1alpha1", plural)
        ]

    def stamp(self) -> str | None:
        """The controller-gen that the definition of policies was made with; None where unsaid."""
        try:
            found: Any = self._ask(
                self._definitions.read_custom_resource_definition,
                name="propagationpolicies.policy.karmada.io",
            )
        except _NotFoundError:
            return None
        annotations = found.metadata.annotations or {}
        stamp: str | None = annotations.get("controller-gen.kubebuilder.io/version")
        return stamp

    def refusal(self, manifest: dict[str, Any], plural: str) -> str | None:
        """Why the API would refuse to create a cluster-scoped object; None where it would not."""
        group, _, version = manifest["apiVersion"].rpartition("/")
        try:
            self._objects.create_cluster_custom_object(
                group, version, plural, manifest, dry_run="All", _request_timeout=_ANSWER_SECONDS
            )
        except ApiException as error:
            if error.status == HTTPStatus.CONFLICT:  # it is there, so it was not refused
                return None
            return _said(error)
        except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            raise FederationError(self._no_answer(f"does not answer: {_cause(error)}")) from None
        return None

    def _list(self, group: str, version: str, plural: str) -> list[dict[str, Any]]:
        try:
            found: Any = self._ask(
                self._objects.list_cluster_custom_object,
                group=group,
                version=version,
                plural=plural,
            )
        except _NotFoundError:
            return []
        return list(found["items"])

    def _ask(self, question: Callable[..., object], **arguments: str) -> object:
        try:
            return question(**arguments, _request_timeout=_ANSWER_SECONDS)
        except ApiException as error:
            what = f"answers {error.status} {error.reason}"
            kind = _NotFoundError if error.status == HTTPStatus.NOT_FOUND else FederationError
            raise kind(self._no_answer(what)) from None
        except (urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            raise FederationError(self._no_answer(f"does not answer: {_cause(error)}")) from None

    def _no_answer(self, what: str) -> str:
        return (
            f"the Karmada API at {self._host} {what}; nothing was written. Check that it runs and "
            "that the carrier stack's federation:kubeconfig is right"
        )


def connect(kubeconfig: str) -> client.ApiClient:
    """A client of the API of *kubeconfig*.

    Raises:
        FederationError: the kubeconfig cannot be used; the message holds nothing of it.
    """
    settings = client.Configuration()
    try:
        config.load_kube_config_from_dict(yaml.safe_load(kubeconfig), client_configuration=settings)
        settings.retries = urllib3.Retry(total=_RETRIES, backoff_factor=0.5)
        return client.ApiClient(settings)
    except (ConfigException, ValueError, OSError) as error:
        raise FederationError(
            f"the kubeconfig of the Karmada API cannot be used ({type(error).__name__}); set "
            "the carrier stack's federation:kubeconfig anew and bring that stack up"
        ) from None


class _NotFoundError(FederationError):
    """The Karmada API has no such object, or does not know its kind."""


def _said(error: ApiException) -> str:
    """The words of a Kubernetes ``Status``, or the HTTP status where it is none."""
    try:
        return str(json.loads(error.body or "")["message"])
    except (ValueError, KeyError, TypeError):
        return f"{error.status} {error.reason}"


def _cause(error: BaseException) -> str:
    """The innermost reason, as the operating system or TLS words it."""
    inner = getattr(error, "reason", None)
    if not isinstance(inner, BaseException):
        inner = error.__cause__ or error.__context__
    if inner is not None:
        return _cause(inner)
    return str(getattr(error, "strerror", None) or getattr(error, "reason", None) or error)
