"""What a stack that is brought up must not lose: a whole cluster that it made.

It knows the cluster by the stack's own last output, whatever plane its settings name by now.
"""

import pulumi

from components import outputs
from components.settings import HetznerCluster, StackSettings, fault
from placement.faults import BadInputError


async def refuse_losses(settings: StackSettings) -> None:
    """Refuse what would take a whole cluster away, and a name of nothing under ``replace``.

    Raises:
        BadInputError: a cluster that the stack made is in its settings no more, under its name or
            at all, and is not named under ``federation:replace``; or that names nothing.
    """
    stack, named = pulumi.get_stack(), settings.replace
    made = [each for each in settings.clusters if isinstance(each, HetznerCluster)]
    nodes = [node.name for each in made for node in each.nodes()]
    gone = sorted(set(await outputs.founded()) - {each.name for each in made})
    wrong = [
        fault(
            stack,
            (settings.plane,),
            f"read no cluster {name}, which this stack made; allowed with it, or once with "
            f"federation:replace: {name}, which deletes it whole and all that is on it",
        )
        for name in gone
        if name != named
    ]
    if named is not None and named not in (*nodes, *gone):
        known = ", ".join((*nodes, *gone))
        allowed = f"one of {known}" if known else "nothing: no cluster is made here"
        wrong.append(fault(stack, ("replace",), f"read {named!r}; allowed {allowed}"))
    if wrong:
        raise BadInputError(*wrong)
