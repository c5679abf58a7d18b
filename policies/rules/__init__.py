"""The rules of the pack, in the order of their codes."""

from policies.rules.carrier import CARRIER
from policies.rules.continents import CONTINENTS, SINGLE_CONTINENT
from policies.rules.division import DIVISION
from policies.rules.providers import PROVIDERS
from policies.rules.secrets import SECRET_INPUTS, SECRET_OUTPUTS
from policies.rules.spread import MAX_GROUPS, SPREAD
from policies.rules.tolerations import TOLERATIONS
from policies.rules.volumes import VOLUMES

RULES = (
    CARRIER,
    SPREAD,
    MAX_GROUPS,
    TOLERATIONS,
    PROVIDERS,
    SECRET_INPUTS,
    SECRET_OUTPUTS,
    DIVISION,
    CONTINENTS,
    SINGLE_CONTINENT,
    VOLUMES,
)

__all__ = ["RULES"]
