"""Admission policies through the real engine, held against what a real API server refuses."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pulumi_kubernetes as kubernetes
import pytest
from kubernetes import client, config
from kubernetes.client.exceptions import ApiException
from tenacity import Retrying, retry_if_result, stop_after_delay, wait_fixed

from components.admission import (
    AcceleratorsOnly,
    AcceleratorsOnlyArgs,
    Namespaces,
    NoLocalVolumes,
    NoLocalVolumesArgs,
    NoUserWorkloads,
    NoUserWorkloadsArgs,
)
from components.admission.no_user_workloads import BREAK_GLASS, BREAK_GLASS_GROUP
from lab import Lab
from lab.engine import Workspace
from lab.kubernetes.client import RefusedError
from tests.built import FULL_MEMBER, skip_without
from tests.engine.case import cluster, workload, write_federation

Plain = dict[str, Any]
MEMBER = "east"
GPU = "nvidia.com/gpu"


class Guarded:
    """A cluster with all its controllers, and the stack that guards it."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        self.api = lab.api(MEMBER)
        self.kubeconfig = lab.kubeconfig(MEMBER)
        self._workspace = Workspace(folder)
        # The project's own demands a plane, which these programs have none of.
        project = self._workspace.project / "Pulumi.yaml"
        project.write_text("name: federation\nruntime: python\n", "utf-8")

    @contextmanager
    def by(self, name: str, rule: Callable[[kubernetes.Provider], object]) -> Iterator[None]:
        """The cluster while the stack *name* with *rule* is up; a second preview is empty."""

        def program() -> None:
            text = self.kubeconfig.read_text("utf-8")
            rule(kubernetes.Provider(MEMBER, kubeconfig=text, cluster_identifier=MEMBER))

        stack = self._workspace.stack(name, program)
        stack.up()
        stack.preview(expect_no_changes=True)
        yield
        stack.destroy()

    def refusal(self, manifest: Plain) -> str:
        """What the API server says to *manifest*; empty where it takes it. Nothing is kept."""
        try:
            self.api.create(manifest, dry_run=True)
        except RefusedError as error:
            return str(error)
        return ""

    def waits_for(self, manifest: Plain) -> str:
        """The refusal of *manifest*, once the API server has learnt of the policies."""
        wait = Retrying(
            retry=retry_if_result(lambda text: not text),
            stop=stop_after_delay(30),
            wait=wait_fixed(0.2),
        )
        return wait(self.refusal, manifest)

    def event_of(self, kind: str, name: str) -> str:
        """What a controller says of what it could not make for an object of the user's."""

        def look() -> str:
            for event in self.api.list("v1", "Event", "team"):
                about = event["involvedObject"]
                ours = about["kind"] == kind and about["name"].startswith(name)
                if ours and event["reason"] == "FailedCreate":
                    return str(event["message"])
            return ""

        wait = Retrying(
            retry=retry_if_result(lambda text: not text),
            stop=stop_after_delay(30),
            wait=wait_fixed(0.3),
        )
        return wait(look)

    def as_user(self, user: str, *groups: str) -> client.CoreV1Api:
        """The API as an administrator of the name *user* in *groups* reaches it."""
        self.api.apply(
            {
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRoleBinding",
                "metadata": {"name": f"test-{user}"},
                "roleRef": {
                    "apiGroup": "rbac.authorization.k8s.io",
                    "kind": "ClusterRole",
                    "name": "cluster-admin",
                },
                "subjects": [
                    {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}
                ],
            }
        )
        reached = config.new_client_from_config(str(self.kubeconfig))
        reached.set_default_header("Impersonate-User", user)
        for group in groups:
            reached.set_default_header("Impersonate-Group", group)
        return client.CoreV1Api(reached)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A full member whose namespaces are of a user, of the plane, and of its run-time software."""
    skip_without(*FULL_MEMBER)
    root = tmp_path_factory.mktemp("admission")
    file = root / "federation.yaml"
    write_federation(file, [cluster(MEMBER)], workload("web", weights={MEMBER: 1}))
    with pytest.MonkeyPatch.context() as patch, Lab(root / "labs", "admission") as lab:
        patch.delenv("KARMADA_DIR", raising=False)  # none of its parts act in a member
        lab.up(file, members=MEMBER)
        found = Guarded(lab, root / "workspace")
        for name in ("team", "carrier-system", "cattle-fleet-system"):
            found.api.apply(namespace(name))
        yield found


def namespace(name: str) -> Plain:
    """A namespace."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def pod(where: str, limits: Plain | None = None, **spec: Any) -> Plain:
    """A pod in the namespace *where* with *limits*."""
    container = {"name": "main", "image": "registry.invalid/main:1"}
    resources = {"resources": {"limits": limits}} if limits is not None else {}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "one", "namespace": where},
        "spec": {"containers": [{**container, **resources}], **spec},
    }


def workload_of(kind: str, name: str, of: Plain) -> Plain:
    """An object of *kind* that has a controller make the pod *of*."""
    labels = {"app": name}
    spec: Plain = {
        "selector": {"matchLabels": labels},
        "replicas": 1,
        "template": {"metadata": {"labels": labels}, "spec": of["spec"]},
    }
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": of["metadata"]["namespace"]},
        "spec": {**spec, **({"serviceName": name} if kind == "StatefulSet" else {})},
    }


def carrier(provider: kubernetes.Provider) -> NoUserWorkloads:
    """The rule of the carrier and of the storage plane."""
    namespaces = Namespaces(("carrier-system",), ("cattle-",))
    return NoUserWorkloads("carrier", NoUserWorkloadsArgs(provider, namespaces))


def test_a_users_pods_are_refused_whoever_makes_them(guarded: Guarded) -> None:
    """No pod in a user's namespace, by hand or by a controller; the plane's own are admitted."""
    with guarded.by("pods", carrier):
        said = guarded.waits_for(pod("team"))
        assert "read a pod in namespace team; allowed pods of the plane" in said
        for own in ("carrier-system", "cattle-fleet-system", "kube-system"):
            assert guarded.refusal(pod(own)) == ""
        guarded.api.apply(workload_of("Deployment", "web", pod("team")))
        assert "read a pod in namespace team" in guarded.event_of("ReplicaSet", "web")
        assert guarded.api.list("v1", "Pod", "team") == []


def test_the_glass_is_broken_by_one_group(guarded: Guarded) -> None:
    """The label opens a namespace, and no way of writing it is open to another administrator."""
    with guarded.by("glass", carrier):
        guarded.waits_for(pod("team"))
        other = guarded.as_user("other", "somebody")
        member = guarded.as_user("member", BREAK_GLASS_GROUP)
        broken = {"metadata": {"labels": {BREAK_GLASS: "incident-7"}}}
        named = client.V1ObjectMeta(name="new", labels={BREAK_GLASS: "incident-7"})
        for attempt in (
            partial(other.patch_namespace, "team", broken),
            partial(other.patch_namespace_status, "team", broken),
            partial(other.create_namespace, client.V1Namespace(metadata=named)),
        ):
            with pytest.raises(ApiException) as caught:
                attempt()
            assert f"read label {BREAK_GLASS}; allowed to members of" in str(caught.value.body)
        assert guarded.refusal(pod("team"))

        member.patch_namespace("team", broken)
        assert guarded.refusal(pod("team")) == ""
        # What does not touch the label is anybody's, and so is to close the glass again.
        other.patch_namespace("team", {"metadata": {"labels": {"owner": "them"}}})
        with pytest.raises(ApiException):
            other.patch_namespace("team", {"metadata": {"labels": {BREAK_GLASS: "mine"}}})
        other.patch_namespace("team", {"metadata": {"labels": {BREAK_GLASS: None}}})
        assert "read a pod in namespace team" in guarded.waits_for(pod("team"))


def test_a_reserved_name_is_no_way_in(guarded: Guarded) -> None:
    """A namespace under a run-time prefix is made by the plane's controllers, or by the group."""
    with guarded.by("names", carrier):
        guarded.waits_for(pod("team"))
        made = client.V1Namespace(metadata=client.V1ObjectMeta(name="cattle-mine"))
        with pytest.raises(ApiException) as caught:
            guarded.as_user("other", "somebody").create_namespace(made)
        assert "read namespace cattle-mine; allowed to the controllers" in str(caught.value.body)
        for user, group in (
            ("fleet", "system:serviceaccounts:cattle-fleet-system"),
            ("operator", "system:serviceaccounts:carrier-system"),
            ("member", BREAK_GLASS_GROUP),
        ):
            guarded.as_user(user, group).create_namespace(made, dry_run="All")
        with pytest.raises(ApiException):
            guarded.as_user("a", "system:serviceaccounts:team").create_namespace(made)


def test_a_gpu_plane_takes_gpu_pods_alone(guarded: Guarded) -> None:
    """A CPU pod is refused, also with none of a GPU; a pod with one is admitted."""

    def rule(provider: kubernetes.Provider) -> AcceleratorsOnly:
        accelerators = (GPU, "nvidia.com/mig-1g.10gb")
        return AcceleratorsOnly(
            "aegis", AcceleratorsOnlyArgs(provider, Namespaces(("gpu-operator",)), accelerators)
        )

    with guarded.by("gpu", rule):
        said = guarded.waits_for(pod("team"))
        assert "read a pod without an accelerator in namespace team; allowed pods with" in said
        assert guarded.refusal(pod("team", {"cpu": "1"}))
        assert guarded.refusal(pod("team", {GPU: "0"}))
        assert guarded.refusal(pod("team", {GPU: "1"})) == ""
        assert guarded.refusal(pod("team", {"cpu": "1", "nvidia.com/mig-1g.10gb": 2})) == ""
        assert guarded.refusal(pod("kube-system")) == ""
        first = pod("team", {GPU: "1"})["spec"]["containers"]
        assert guarded.refusal(pod("team", initContainers=[{**first[0], "name": "first"}])) == ""
        guarded.api.apply(workload_of("StatefulSet", "cpu", pod("team", {"cpu": "1"})))
        assert "without an accelerator" in guarded.event_of("StatefulSet", "cpu")


def claim(storage_class: str | None) -> Plain:
    """A claim of *storage_class*; None says none."""
    named = {} if storage_class is None else {"storageClassName": storage_class}
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "one", "namespace": "team"},
        "spec": {**spec, **named},
    }


def volume(**source: Any) -> Plain:
    """A PersistentVolume from *source*."""
    spec = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, **source}
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "one"},
        "spec": spec,
    }


def test_a_compute_plane_keeps_no_data(guarded: Guarded) -> None:
    """Local volumes are refused in each way of asking; those of the storage plane are admitted."""

    def rule(provider: kubernetes.Provider) -> NoLocalVolumes:
        return NoLocalVolumes(
            "destroyer",
            NoLocalVolumesArgs(provider, Namespaces(("monitoring",)), ("auxiliary-block",)),
        )

    host = {"name": "data", "hostPath": {"path": "/var/data"}}
    scratch = {"name": "scratch", "emptyDir": {}}
    node = {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}
    local = {
        "local": {"path": "/disk"},
        "nodeAffinity": {"required": {"nodeSelectorTerms": [node]}},
    }
    csi = {"csi": {"driver": "rook-ceph.rbd.csi.ceph.com", "volumeHandle": "one"}}
    with guarded.by("volumes", rule):
        said = guarded.waits_for(pod("team", volumes=[scratch, host]))
        assert "read hostPath in volume data; allowed none" in said
        assert guarded.refusal(pod("team", volumes=[scratch])) == ""
        assert guarded.refusal(pod("kube-system", volumes=[host])) == ""
        said = guarded.waits_for(claim("local-path"))
        assert 'read storageClassName "local-path"; allowed StorageClass auxiliary-block' in said
        assert guarded.refusal(claim(None))
        assert guarded.refusal(claim(""))
        assert guarded.refusal(claim("auxiliary-block")) == ""
        assert "read a volume on a disk of a node" in guarded.waits_for(volume(**local))
        assert guarded.refusal(volume(hostPath={"path": "/disk"}))
        assert guarded.refusal(volume(**csi)) == ""

        stateful = workload_of("StatefulSet", "ledger", pod("team"))
        template = {"metadata": {"name": "data"}, "spec": claim("local-path")["spec"]}
        stateful["spec"]["volumeClaimTemplates"] = [template]
        guarded.api.apply(stateful)
        assert "local-path" in guarded.event_of("StatefulSet", "ledger")
