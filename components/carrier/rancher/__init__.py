"""Rancher: its server, how people log in, and how a plane's cluster comes into it."""

from components.carrier.rancher.imported import Imported, ImportedArgs
from components.carrier.rancher.login import Login, LoginArgs
from components.carrier.rancher.reached import Reached, provider
from components.carrier.rancher.server import NAMESPACE, RUN_TIME, Rancher, RancherArgs, url

__all__ = [
    "NAMESPACE",
    "RUN_TIME",
    "Imported",
    "ImportedArgs",
    "Login",
    "LoginArgs",
    "Rancher",
    "RancherArgs",
    "Reached",
    "provider",
    "url",
]
