"""Any Kubernetes object as a resource."""

from collections.abc import Mapping
from typing import Any

import pulumi


class KubernetesObject(pulumi.CustomResource):
    """Any Kubernetes object, given whole.

    ``pulumi_kubernetes``'s own ``CustomResource`` takes no other field than ``spec``.
    """

    def __init__(self, name: str, content: Mapping[str, Any], opts: pulumi.ResourceOptions) -> None:
        version = str(content["apiVersion"])
        group = version if "/" in version else f"core/{version}"
        super().__init__(f"kubernetes:{group}:{content['kind']}", name, dict(content), opts)
