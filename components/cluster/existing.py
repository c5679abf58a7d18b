"""A cluster that exists already: nothing of it is made here."""

import pulumi

from components.cluster.kubeconfig import Kubeconfig
from components.settings import ExistingCluster


class Existing(pulumi.ComponentResource):
    """A cluster that exists already.

    Attributes:
        kubeconfig: how to reach it.
    """

    kubeconfig: Kubeconfig

    def __init__(
        self,
        name: str,
        spec: ExistingCluster,
        kubeconfig: Kubeconfig,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        props = spec.model_dump(mode="json", by_alias=True, exclude={"cost"})
        super().__init__("federation:cluster:Existing", name, props, opts)
        self.kubeconfig = kubeconfig
        self.register_outputs({"endpoint": kubeconfig.endpoint})
