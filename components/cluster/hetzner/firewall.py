"""What reaches a node on its public address: SSH from where the runs come from, and nothing else.

Private networks pass no firewall at Hetzner. Load balancers have none: the API's is open to all,
who need a certificate of this cluster's authority.
"""

from collections.abc import Sequence

import pulumi
import pulumi_hcloud as hcloud

SSH = "22"


def firewall(
    name: str, sources: Sequence[str], labels: dict[str, str], opts: pulumi.ResourceOptions
) -> hcloud.Firewall:
    """The firewall of every node; what no rule names is dropped."""
    rule = hcloud.FirewallRuleArgs(
        direction="in",
        protocol="tcp",
        port=SSH,
        source_ips=list(sources),
        description="SSH, until the node is enrolled",
    )
    return hcloud.Firewall(name, name=name, rules=[rule], labels=labels, opts=opts)
