"""A cluster that exists already, given by its kubeconfig.

Owns the check that the kubeconfig can be used at all. It does not call the cluster: a preview must
work while the cluster is away.
"""

from typing import Any

import pulumi
import yaml

from components.settings import ExistingCluster
from placement.faults import BadInputError, Fault

KUBECONFIG = "kubeconfig"
"""The configuration key, below ``federation:``, of the secret."""


class Existing(pulumi.ComponentResource):
    """A cluster that exists already.

    Attributes:
        kubeconfig: a secret.
        endpoint: the URL of its API.
    """

    kubeconfig: pulumi.Output[str]
    endpoint: str

    def __init__(
        self, name: str, spec: ExistingCluster, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = spec.model_dump(mode="json", by_alias=True)
        super().__init__("federation:cluster:Existing", name, props, opts)
        config = pulumi.Config("federation")
        text = config.get(KUBECONFIG)
        self.endpoint = _endpoint(pulumi.get_stack(), text)
        self.kubeconfig = pulumi.Output.secret(text or "")
        self.register_outputs({"endpoint": self.endpoint})


def _endpoint(stack: str, text: str | None) -> str:
    """The server of the current context; the text itself is never part of a message.

    Raises:
        BadInputError: no kubeconfig, or one without a usable current context.
    """
    command = f"pulumi config set --secret --stack {stack} federation:{KUBECONFIG} < FILE"

    def wrong(message: str) -> BadInputError:
        return BadInputError(
            Fault(f"Pulumi.{stack}.yaml", 0, f"config.federation:{KUBECONFIG}", message)
        )

    if not text:
        raise wrong(f"missing; allowed a kubeconfig, as a secret: {command}")
    try:
        content = yaml.safe_load(text)
        context = _named(content["contexts"], content["current-context"])["context"]
        cluster = _named(content["clusters"], context["cluster"])["cluster"]
        _named(content["users"], context["user"])
        server = str(cluster["server"])
    except (yaml.YAMLError, KeyError, TypeError, StopIteration):
        raise wrong(
            "read something else than a kubeconfig whose current-context names a cluster and a "
            f"user; allowed one that kubectl works with: {command}"
        ) from None
    if not server.startswith("https://"):
        raise wrong("its server does not begin with https://; allowed https alone")
    return server


def _named(entries: Any, name: str) -> Any:
    return next(entry for entry in entries if entry["name"] == name)
