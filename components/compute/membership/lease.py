"""The Lease by which one of Karmada's controller managers leads.

Owns how it is read and written. Why is ``hand_over``'s to say.
"""

from collections.abc import Callable
from typing import Any

import urllib3
from kubernetes import client
from kubernetes.client.exceptions import ApiException

from components.federation.api import connect
from placement.faults import FederationError

_NAME, _NAMESPACE = "karmada-controller-manager", "karmada-system"
"""As ``--leader-elect-resource-namespace`` has it by default, and every installer too."""

_NOT_FOUND = 404
_ANSWER_SECONDS = 10


class Lease:
    """The Lease on the Karmada API of *kubeconfig*.

    Raises:
        FederationError: the kubeconfig cannot be used.
    """

    name = f"{_NAMESPACE}/{_NAME}"

    def __init__(self, kubeconfig: str) -> None:
        self._api = client.CoordinationV1Api(connect(kubeconfig))

    def holder(self) -> str | None:
        """Who holds it; None where there is no such Lease.

        Raises:
            FederationError: the Karmada API does not answer.
        """
        found = self._ask(self._api.read_namespaced_lease)
        return found.spec.holder_identity if found is not None else None

    def give_to(self, holder: str) -> None:
        """Write *holder* into it; its duration stays, which is longer than a leader tries to renew.

        Raises:
            FederationError: the Karmada API does not answer, or there is no such Lease.
        """
        body = {"spec": {"holderIdentity": holder}}
        if self._ask(self._api.patch_namespaced_lease, body=body) is None:
            raise FederationError(f"the Lease {self.name} is gone")

    def _ask(self, question: Callable[..., Any], **arguments: object) -> Any:
        try:
            return question(_NAME, _NAMESPACE, **arguments, _request_timeout=_ANSWER_SECONDS)
        except ApiException as error:
            if error.status == _NOT_FOUND:
                return None
            raise FederationError(
                f"the Karmada API refuses the Lease {self.name}: {error.status} {error.reason}"
            ) from None
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise FederationError(
                f"the Karmada API does not answer for the Lease {self.name}: {type(error).__name__}"
            ) from None
