"""Fixture charts: a mirror folder with small charts under the names of the catalogue's.

Each has the published ``Chart.yaml``, values, values' schema and definitions of its entry, as far
as ``REFERENCE_DIR`` has them, and, in place of what the real one runs, one Deployment, one hook (a
Job after installation) and a ConfigMap with the values that came in. A manifest has its definitions
and one Deployment. So Helm judges our values by the maker's own schema, and nothing is pulled. They
want a cluster that runs pods: a full member of the lab.

Definitions that ``REFERENCE_DIR`` lacks take any fields: tests that judge objects by them prove
nothing about their form, which ``docs/measured/charts.json`` does with the real ones.
"""

import io
import os
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from components.catalogue import Entry, entry
from components.settings import Mirror

Plain = dict[str, Any]

_PUBLISHED = {
    "rook-ceph": "rook-1.20.6/crds.yaml",
    "karmada-operator": "karmada-1.18.2/operator-crds/operator.karmada.io_karmadas.yaml",
}
"""Where the definitions of a chart stand in the reference folder."""

_FOLDERS = {"ceph-csi-drivers": "ceph-csi-drivers-rook-1.20.6"}
"""Where a chart's files are that are not under its own name and version: Rook publishes these."""

_NAMESPACED, _CLUSTER = "Namespaced", "Cluster"

_MADE: dict[str, dict[str, tuple[str, ...]]] = {
    "cert-manager": {
        "cert-manager.io/v1": ("Certificate", "CertificateRequest", "ClusterIssuer*", "Issuer"),
    },
    "cloudnative-pg": {
        "postgresql.cnpg.io/v1": ("Backup", "Cluster", "Pooler", "ScheduledBackup"),
    },
    "gpu-operator": {"nvidia.com/v1": ("ClusterPolicy*",)},
    "plugin-barman-cloud": {"barmancloud.cnpg.io/v1": ("ObjectStore",)},
    "keycloak-operator": {"k8s.keycloak.org/v2alpha1": ("Keycloak", "KeycloakRealmImport")},
    "kube-prometheus-stack": {
        "monitoring.coreos.com/v1": (
            "PodMonitor",
            "Prometheus",
            "PrometheusRule",
            "ServiceMonitor",
        ),
        "monitoring.coreos.com/v1alpha1": ("AlertmanagerConfig", "PrometheusAgent", "ScrapeConfig"),
    },
    "longhorn": {
        "longhorn.io/v1beta2": ("BackupTarget", "Node", "RecurringJob", "Setting", "Volume")
    },
    "snapshot-controller": {
        "snapshot.storage.k8s.io/v1": (
            "VolumeSnapshot",
            "VolumeSnapshotClass*",
            "VolumeSnapshotContent*",
        ),
    },
    "system-upgrade-controller": {"upgrade.cattle.io/v1": ("Plan",)},
}
"""Kinds by the entry that brings them; a star marks those without a namespace."""

_VALUES_TEMPLATE = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-values
  namespace: {{ .Release.Namespace }}
data:
  values.json: {{ toJson .Values | quote }}
"""
_DEFINITIONS_TEMPLATE = '{{ .Files.Get "files/crds.yaml" }}\n'
"""As a file, since descriptions of fields may hold what looks like a template."""


def fixture_charts(
    folder: Path, *names: str, images: str | None = None, definitions: bool = True
) -> Mirror:
    """Write fixtures of the entries *names* into *folder*; the mirror that they make.

    Args:
        folder: made if absent.
        names: of entries of the catalogue.
        images: the mirror's registry, where a test is about it.
        definitions: whether charts bring theirs; else a test puts ``kinds`` there before. Without
            Rook's, which are a megabyte of each state and each event, a preview takes a third.

    Skips the test where there is no reference folder.
    """
    root = os.environ.get("REFERENCE_DIR")
    if not root:
        pytest.skip("no published charts (set REFERENCE_DIR)")
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        wanted = entry(name)
        if wanted.install == "manifest":
            _write_manifest(folder, wanted)
        else:
            _write_chart(folder, wanted, kinds(name) if definitions else [])
    return Mirror(charts=str(folder), images=images)


def published(name: str, file: str) -> Path | None:
    """The published *file* of the chart *name*; None where the reference folder lacks it."""
    folder = _FOLDERS.get(name, f"{name}-{entry(name).version.removeprefix('v')}")
    path = Path(os.environ.get("REFERENCE_DIR", "")) / "charts" / folder / file
    return path if path.is_file() else None


def kinds(name: str) -> list[Plain]:
    """The definitions that the chart *name* brings."""
    root = os.environ.get("REFERENCE_DIR", "")
    if name not in _PUBLISHED:
        return list(_made(name))
    text = (Path(root) / _PUBLISHED[name]).read_text("utf-8")
    return [each for each in yaml.load_all(text, yaml.CSafeLoader) if each is not None]


def _write_chart(folder: Path, wanted: Entry, definitions: list[Plain]) -> None:
    files = {
        "Chart.yaml": _dump(_chart(wanted)),
        "templates/deployment.yaml": _dump(_deployment("{{ .Release.Name }}", wanted)),
        "templates/hook.yaml": _dump(_hook()),
        "templates/values.yaml": _VALUES_TEMPLATE,
    }
    for file in ("values.yaml", "values.schema.json"):
        if there := published(wanted.name, file):
            files[file] = there.read_text("utf-8")
    if definitions:
        text = yaml.dump_all(definitions, Dumper=yaml.CSafeDumper)
        if wanted.crds == "templates":
            files["files/crds.yaml"] = text
            files["templates/crds.yaml"] = _DEFINITIONS_TEMPLATE
        else:
            files["crds/crds.yaml"] = text
    with tarfile.open(folder / wanted.file, "w:gz") as archive:
        for path, text in files.items():
            data = text.encode()
            header = tarfile.TarInfo(f"{wanted.name}/{path}")
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))


def _write_manifest(folder: Path, wanted: Entry) -> None:
    below = folder / f"{wanted.name}-{wanted.version}"
    contents = [*_made(wanted.name), _deployment(wanted.name, wanted)]
    for number, file in enumerate(wanted.files):
        path = below / file
        path.parent.mkdir(parents=True, exist_ok=True)
        # All of it in the first file; the others are there, and empty.
        path.write_text(yaml.safe_dump_all(contents) if number == 0 else "", "utf-8")


def _chart(wanted: Entry) -> Plain:
    """The chart's own file, stamped as its makers do when they publish it, without subcharts."""
    path = published(wanted.name, "Chart.yaml")
    text = path.read_text("utf-8").replace("%", "") if path else "apiVersion: v2"
    content: Plain = yaml.safe_load(text)
    content.pop("dependencies", None)
    return {**content, "name": wanted.name, "version": wanted.version, "appVersion": wanted.version}


def _made(name: str) -> Iterator[Plain]:
    for api, kinds in _MADE.get(name, {}).items():
        group, _, version = api.partition("/")
        for marked in kinds:
            kind = marked.rstrip("*")
            yield _definition(group, version, kind, _CLUSTER if marked != kind else _NAMESPACED)


def _definition(group: str, version: str, kind: str, scope: str) -> Plain:
    lower = kind.lower()
    plural = re.sub(r"y$", "ie", re.sub(r"s$", "se", lower)) + "s"
    anything = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {
            "name": f"{plural}.{group}",
            # Groups of Kubernetes' own are guarded.
            "annotations": {"api-approved.kubernetes.io": "unapproved, a fixture"},
        },
        "spec": {
            "group": group,
            "scope": scope,
            "names": {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": lower},
            "versions": [
                {
                    "name": version,
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": anything},
                    "subresources": {"status": {}},
                }
            ],
        },
    }


def _deployment(name: str, wanted: Entry) -> Plain:
    labels = {"app.kubernetes.io/name": wanted.name}
    images = wanted.images[:1] or ("registry.invalid/nothing:1",)
    pod: Plain = {"containers": [{"name": "main", "image": images[0]}]}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }


def _hook() -> Plain:
    container = {"name": "main", "image": "registry.invalid/hook:1"}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": "{{ .Release.Name }}-hook",
            "annotations": {
                "helm.sh/hook": "post-install",
                "helm.sh/hook-delete-policy": "before-hook-creation",
            },
        },
        "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [container]}}},
    }


def _dump(content: Plain) -> str:
    return yaml.safe_dump(content, sort_keys=False)
