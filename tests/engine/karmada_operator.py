"""A stand-in for Karmada's operator that starts a real control plane's core from what it is given.

Owns three etcd members with the flags of ours, and an API server and its controllers with those of
the operator, all with the certificates in the cluster's Secrets: what does not fit together does
not start. Karmada's own components are not started; that they are asked for is in the resource.

Source: Karmada 1.18.2 ``operator/pkg/controlplane/apiserver/manifests.go``.
"""

import base64
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import requests
import yaml
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from components.carrier.etcd import CERTIFICATES as ETCD_CERTIFICATES
from lab import tools
from lab.kubernetes.client import Api
from lab.kubernetes.etcd_members import EtcdMembers
from lab.processes import ports
from placement.faults import FederationError
from tests.engine.repeating import repeating

Plain = dict[str, Any]
NAMESPACE = "karmada-system"
KIND = ("operator.karmada.io/v1alpha1", "Karmada")
FINALIZER = "operator.karmada.io/karmada-controller"
_HOST = "127.0.0.1"


@contextmanager
def karmada_operator(kubeconfig: Path, folder: Path, port: int) -> Iterator[None]:
    """Stand in for the operator of the cluster behind *kubeconfig*, as long as its chart is there.

    Args:
        kubeconfig: of the cluster.
        folder: for certificates, data and logs.
        port: on which the API server is to listen.
    """
    folder.mkdir()
    api = Api(kubeconfig, folder / "discovery")
    with ExitStack() as running:
        plane = _Plane(api, folder, port, running)
        with repeating(plane.reconcile):
            yield


class _Plane:
    """The control plane of one ``Karmada`` resource."""

    def __init__(self, api: Api, folder: Path, port: int, running: ExitStack) -> None:
        self._api, self._folder, self._port, self._running = api, folder, port, running
        self._started = False

    def reconcile(self) -> None:
        """One look, as the operator's."""
        if not self._api.serves(*KIND):
            return
        if self._api.get("apps/v1", "Deployment", "karmada-operator", NAMESPACE) is None:
            return
        for found in self._api.list(*KIND, NAMESPACE):
            if "deletionTimestamp" in found["metadata"]:
                self._said(found, finalizers=[])
            elif not found.get("status"):
                self._said(found, finalizers=[FINALIZER])
                if not self._started:
                    self._start(found)
                ready = {
                    "type": "Ready",
                    "status": "True",
                    "reason": "Completed",
                    "message": "karmada init job is completed",
                    "lastTransitionTime": "2026-11-30T00:00:00Z",
                }
                self._api.apply_status({**_named(found), "status": {"conditions": [ready]}})

    def _said(self, found: Plain, finalizers: list[str]) -> None:
        named = _named(found)
        self._api.patch({**named, "metadata": {**named["metadata"], "finalizers": finalizers}})

    def _start(self, found: Plain) -> None:
        self._write(ETCD_CERTIFICATES, "karmada-etcd-cert", "karmada-cert")
        members = self._members()
        for name in members.names:
            self._run(members.argv(name))
        components = found["spec"]["components"]
        self._run(
            self._api_server(
                components["karmadaAPIServer"], [members.url(name) for name in members.names]
            )
        )
        self._wait()
        self._run(self._controllers())
        self._started = True

    def _write(self, *secrets: str) -> None:
        for secret in secrets:
            content = self._api.get("v1", "Secret", secret, NAMESPACE)
            if content is None:
                raise FederationError(f"no Secret {secret}")
            below = self._folder / secret
            below.mkdir(exist_ok=True)
            for name, data in content["data"].items():
                (below / name).write_bytes(base64.b64decode(data))

    def _members(self) -> EtcdMembers:
        """The members of etcd, as their pods would run them."""
        members = self._api.get("apps/v1", "StatefulSet", "etcd", NAMESPACE)
        if members is None:
            raise FederationError("no etcd")
        (container,) = members["spec"]["template"]["spec"]["containers"]
        names = [f"etcd-{index}" for index in range(members["spec"]["replicas"])]
        certificates = self._folder / ETCD_CERTIFICATES
        return EtcdMembers.of(container["command"][1:], names, certificates, self._folder)

    def _api_server(self, spec: Plain, members: Sequence[str]) -> list[str]:
        pki, client = self._folder / "karmada-cert", self._folder / "karmada-etcd-cert"
        flags = {
            "authorization-mode": "Node,RBAC",
            "client-ca-file": pki / "ca.crt",
            "disable-admission-plugins": "StorageObjectInUseProtection,ServiceAccount",
            "bind-address": _HOST,
            "secure-port": self._port,
            "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
            "service-account-key-file": pki / "karmada.key",
            "service-account-signing-key-file": pki / "karmada.key",
            "service-cluster-ip-range": "10.96.0.0/12",
            "proxy-client-cert-file": pki / "front-proxy-client.crt",
            "proxy-client-key-file": pki / "front-proxy-client.key",
            "requestheader-allowed-names": "front-proxy-client",
            "requestheader-client-ca-file": pki / "front-proxy-ca.crt",
            "tls-cert-file": pki / "apiserver.crt",
            "tls-private-key-file": pki / "apiserver.key",
            "tls-min-version": "VersionTLS13",
            "etcd-cafile": client / "ca.crt",
            "etcd-certfile": client / "tls.crt",
            "etcd-keyfile": client / "tls.key",
            "etcd-servers": ",".join(members),
            **self._extra(spec),
        }
        return [
            str(tools.path("kube-apiserver")),
            *(f"--{name}={value}" for name, value in flags.items()),
            "--enable-bootstrap-token-auth=true",
            f"--advertise-address={_HOST}",
            "--endpoint-reconciler-type=none",
        ]

    def _controllers(self) -> list[str]:
        """The command of the controllers without which nothing is ever deleted."""
        pki, file = self._folder / "karmada-cert", self._folder / "controllers.yaml"
        (port,) = ports.free(["controllers"], {self._port}).values()
        reached = {
            "server": f"https://{_HOST}:{self._port}",
            "certificate-authority": str(pki / "ca.crt"),
        }
        user = {
            "client-certificate": str(pki / "karmada.crt"),
            "client-key": str(pki / "karmada.key"),
        }
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "karmada",
            "clusters": [{"name": "karmada", "cluster": reached}],
            "users": [{"name": "karmada", "user": user}],
            "contexts": [{"name": "karmada", "context": {"cluster": "karmada", "user": "karmada"}}],
        }
        file.write_text(yaml.safe_dump(content), "utf-8")
        return [
            str(tools.path("kube-controller-manager")),
            *(f"--{use}kubeconfig={file}" for use in ("", "authentication-", "authorization-")),
            f"--bind-address={_HOST}",
            f"--secure-port={port}",
            "--controllers=namespace,garbagecollector,serviceaccount-token,ttl-after-finished",
            f"--service-account-private-key-file={pki / 'karmada.key'}",
            f"--root-ca-file={pki / 'ca.crt'}",
            "--use-service-account-credentials=true",
            "--leader-elect=false",
        ]

    def _extra(self, spec: Plain) -> dict[str, str]:
        """The flags that the resource adds, with the Secrets that it mounts for them."""
        secrets = {each["name"]: each["secret"]["secretName"] for each in spec["extraVolumes"]}
        self._write(*secrets.values())
        flags: dict[str, str] = dict(spec["extraArgs"])
        for mount in spec["extraVolumeMounts"]:
            here = str(self._folder / secrets[mount["name"]])
            flags = {key: text.replace(mount["mountPath"], here) for key, text in flags.items()}
        return flags

    def _run(self, argv: list[str]) -> None:
        log = self._running.enter_context(
            (self._folder / f"{Path(argv[0]).name}-{len(list(self._folder.iterdir()))}.log").open(
                "wb"
            )
        )
        process = subprocess.Popen(argv, stdout=log, stderr=log)
        self._running.callback(process.wait)
        self._running.callback(process.terminate)

    def _wait(self) -> None:
        pki = self._folder / "karmada-cert"
        look = Retrying(
            retry=retry_if_exception_type(requests.RequestException),
            stop=stop_after_delay(90),
            wait=wait_fixed(0.3),
            reraise=True,
        )
        for attempt in look:
            with attempt:
                answer = requests.get(
                    f"https://{_HOST}:{self._port}/readyz",
                    cert=(str(pki / "karmada.crt"), str(pki / "karmada.key")),
                    verify=str(pki / "ca.crt"),
                    timeout=5,
                )
                answer.raise_for_status()


def _named(found: Plain) -> Plain:
    metadata = {key: found["metadata"][key] for key in ("name", "namespace")}
    return {"apiVersion": found["apiVersion"], "kind": found["kind"], "metadata": metadata}
