"""Which published site stands for a region that nobody publishes: a labelled proxy.

Owns where the providers' regions are, by metropolitan area, and the zone of the grid there. A site
of the same area stands for a region; what is further away only where the user says so. No price is
ever taken from a neighbour: two regions of one provider may cost differently.

Sources: the providers' own lists of regions, 2026-08; zones as Electricity Maps names them. Hetzner
publishes no latencies: its locations stand with the nearest area that others measure (Falkenstein
and Nuremberg with Frankfurt, Hillsboro with Oregon, Ashburn with Northern Virginia).
"""

import re
from collections.abc import Collection, Mapping

_AREAS: Mapping[str, str] = {
    "Amsterdam": "westeurope europe-west4 nl-ams eemshaven NL",
    "Belgium": "europe-west1 BE",
    "Finland": "eu-north1 europe-north1 hel1 helsinki finland FI",
    "Frankfurt": "eu-central-1 germanywestcentral europe-west3 fsn1 nbg1 frankfurt DE1 DE",
    "Hong Kong": "ap-east-1 eastasia asia-east2 hong-kong HK",
    "Iowa": "centralus us-central1 iowa US-MIDW-MISO",
    "Ireland": "eu-west-1 northeurope ireland dublin IE",
    "London": "eu-west-2 uksouth europe-west2 london UK1 GB",
    "Madrid": "eu-south-2 spaincentral europe-southwest1 madrid ES",
    "Milan": "eu-south-1 italynorth europe-west8 milan it-mil IT-NO",
    "Montreal": "ca-central-1 northamerica-northeast1 BHS montreal CA-QC",
    "Mumbai": "ap-south-1 westindia asia-south1 mumbai IN-WE",
    "Northern California": "us-west-1 westus n-california san-francisco US-CAL-CISO",
    "Northern Virginia": "us-east-1 eastus eastus2 us-east4 ash n-virginia northern-virginia "
    "US-MIDA-PJM",
    "Ohio": "us-east-2 us-east5 ohio columbus",
    "Oregon": "us-west-2 us-west1 hil oregon US-NW-PACW",
    "Osaka": "ap-northeast-3 japanwest asia-northeast2 osaka JP-KN",
    "Paris": "eu-west-3 francecentral europe-west9 fr-par paris GRA FR",
    "Singapore": "ap-southeast-1 southeastasia asia-southeast1 sin singapore SGP1 SG",
    "Seoul": "ap-northeast-2 koreacentral asia-northeast3 seoul KR",
    "Stockholm": "eu-north-1 swedencentral europe-north2 stockholm SE-SE3",
    "Sydney": "ap-southeast-2 australiaeast australia-southeast1 SYD1 sydney AU-NSW",
    "São Paulo": "sa-east-1 brazilsouth southamerica-east1 sao-paulo BR-CS",
    "Tokyo": "ap-northeast-1 japaneast asia-northeast1 tokyo JP-TK",
    "Toronto": "canadacentral northamerica-northeast2 toronto CA-ON",
    "Warsaw": "polandcentral europe-central2 pl-waw warsaw PL",
}
"""Regions, cities and zones of the grid by area."""


def _plain(name: str) -> str:
    """A name without case and punctuation: "N. Virginia" is n-virginia."""
    return re.sub(r"\W+", "-", name.lower()).strip("-")


_AREA_OF = {_plain(name): area for area, names in _AREAS.items() for name in names.split()}


def standing_for(
    region: str, sites: Collection[str], said: Mapping[str, str]
) -> tuple[str, str | None] | None:
    """The site whose figure holds for *region*, with the words of the proxy if it is another one.

    Args:
        region: of a federation file.
        sites: that figures are published of.
        said: site by region, where the user says which.

    Returns:
        None where no site stands for it: the figure stays unknown.
    """
    if region in said:
        chosen = said[region]
        return (chosen, f"{chosen} stands in for {region}, as stated") if chosen in sites else None
    if region in sites:
        return region, None
    area = _AREA_OF.get(_plain(region))
    near = sorted(site for site in sites if area and _AREA_OF.get(_plain(site)) == area)
    if not near:
        return None
    same = _plain(near[0]) == _plain(region)
    return near[0], None if same else f"{near[0]} stands in for {region}, in the area of {area}"
