"""What Karmada says of its members at one moment: a snapshot of the live ``Cluster`` objects.

Owns the question and the reading of the answer. The moment is that of the server's answer, by its
own clock. What differs from a federation file is ``live_difference``'s to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from kubernetes.config import ConfigException
from urllib3.exceptions import HTTPError

from placement.faults import BadInputError, Fault, FederationError

_ANSWER_SECONDS = 30


@dataclass(frozen=True)
class Snapshot:
    """The members of a federation at one moment.

    Attributes:
        server: the address of the Karmada API.
        time: of its answer, in RFC 3339.
        clusters: each ``Cluster`` object by its name.
    """

    server: str
    time: str
    clusters: Mapping[str, Mapping[str, Any]]


def read(kubeconfig: Path) -> Snapshot:
    """Ask the Karmada API of *kubeconfig* for its members.

    Raises:
        BadInputError: the kubeconfig cannot be used; the message holds nothing of it.
        FederationError: the API does not answer, or is none of Karmada's.
    """
    try:
        api = config.new_client_from_config(str(kubeconfig))
    except (ConfigException, OSError, ValueError) as error:
        message = (
            f"cannot be used ({type(error).__name__}); allowed a kubeconfig of the Karmada API"
        )
        raise BadInputError(Fault(str(kubeconfig), 0, "--live", message)) from None
    api.configuration.retries = 0
    server = str(api.configuration.host)
    try:
        answer: Any = client.CustomObjectsApi(api).list_cluster_custom_object_with_http_info(
            "cluster.karmada.io", "v1alpha1", "clusters", _request_timeout=_ANSWER_SECONDS
        )
    except ApiException as error:
        hint = ": is it the Karmada API?" if error.status == HTTPStatus.NOT_FOUND else ""
        raise FederationError(f"{server} answers {error.status} {error.reason}{hint}") from None
    except (HTTPError, OSError) as error:
        raise FederationError(f"{server} does not answer ({type(error).__name__})") from None
    found, _, headers = answer
    time = parsedate_to_datetime(headers["Date"]).astimezone(UTC)
    clusters = {item["metadata"]["name"]: item for item in found["items"]}
    return Snapshot(server, time.isoformat().replace("+00:00", "Z"), clusters)
