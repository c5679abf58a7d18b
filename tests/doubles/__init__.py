"""Providers that live inside the test process and hold every input against its published schema.

Owns what stands in for Hetzner Cloud, for Keycloak and Rancher, and for the providers of keys,
random values and commands, attached to the real engine by ``PULUMI_DEBUG_PROVIDERS``. What a
resource needs beyond its schema (addresses, numbers, certificates) is made by the module of its
package.
"""

from tests.doubles.cloud import Cloud, cloud
from tests.doubles.front_door import software
from tests.doubles.serving import Served

__all__ = ["Cloud", "Served", "cloud", "software"]
