"""What a cluster's API refuses: ValidatingAdmissionPolicies, a rule in each module.

Owns the rules that keep planes apart in the clusters themselves. What a preview refuses is in
``policies/``.
"""

from components.admission.accelerators_only import AcceleratorsOnly, AcceleratorsOnlyArgs
from components.admission.no_local_volumes import NoLocalVolumes, NoLocalVolumesArgs
from components.admission.no_user_workloads import NoUserWorkloads, NoUserWorkloadsArgs
from components.admission.policy import Namespaces

__all__ = [
    "AcceleratorsOnly",
    "AcceleratorsOnlyArgs",
    "Namespaces",
    "NoLocalVolumes",
    "NoLocalVolumesArgs",
    "NoUserWorkloads",
    "NoUserWorkloadsArgs",
]
