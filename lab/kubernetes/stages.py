"""What KWOK does with the nodes and pods of a full member.

Owns the stages: nodes that send heartbeats, pods that are ready after a start delay, jobs' pods
that run for a time and succeed, deleted pods that go. The two times are the lab's, and a pod may
state its own in an annotation: a lab shows when things happen, and KWOK's own stages happen at
once.
"""

from pathlib import Path
from typing import Any

import yaml

START_DELAY_ANNOTATION = "federation.lab/start-delay"
"""How long a pod takes from its node to ready, such as ``3s``."""
RUN_TIME_ANNOTATION = "federation.lab/run-time"
"""How long a job's pod runs, such as ``1m``."""

START_DELAY_SECONDS = 2
RUN_TIME_SECONDS = 30
_HEARTBEAT_SECONDS = 20
_JITTER = 0.25
"""The part by which a heartbeat may be late, so that nodes do not all write at once."""

_HEARTBEAT = """\
{{ $now := Now }}
conditions:
{{ range .status.conditions }}
- type: {{ .type | Quote }}
  status: {{ .status | Quote }}
  reason: {{ .reason | Quote }}
  message: {{ .message | Quote }}
  lastTransitionTime: {{ or .lastTransitionTime $now | Quote }}
  lastHeartbeatTime: {{ $now | Quote }}
{{ end }}
"""

_STARTED = """\
{{ $now := Now }}
phase: Running
startTime: {{ $now | Quote }}
conditions:
{{ range $type := list "Initialized" "ContainersReady" "Ready" }}
- type: {{ $type | Quote }}
  status: "True"
  lastTransitionTime: {{ $now | Quote }}
{{ end }}
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: true
  started: true
  restartCount: 0
  state:
    running:
      startedAt: {{ $now | Quote }}
{{ end }}
"""

_SUCCEEDED = """\
{{ $now := Now }}
{{ $start := or .status.startTime $now }}
phase: Succeeded
containerStatuses:
{{ range .spec.containers }}
- name: {{ .name | Quote }}
  image: {{ .image | Quote }}
  ready: false
  started: false
  restartCount: 0
  state:
    terminated:
      exitCode: 0
      reason: Completed
      startedAt: {{ $start | Quote }}
      finishedAt: {{ $now | Quote }}
{{ end }}
"""

_LIVES = {"key": ".metadata.deletionTimestamp", "operator": "DoesNotExist"}


def write(file: Path) -> None:
    """Write the stages to *file*, as KWOK reads them."""
    file.write_text(yaml.safe_dump_all(stages(), sort_keys=False), "utf-8")


def stages() -> list[dict[str, Any]]:
    """The Stage objects."""
    return [
        _stage(
            "node-heartbeat",
            "Node",
            [_has('.status.conditions.[] | select( .type == "Ready" ) | .status', "True")],
            {"statusTemplate": _HEARTBEAT},
            {
                "durationMilliseconds": _HEARTBEAT_SECONDS * 1000,
                "jitterDurationMilliseconds": int(_HEARTBEAT_SECONDS * (1 + _JITTER) * 1000),
            },
        ),
        _stage(
            "pod-start",
            "Pod",
            [_LIVES, _has(".status.phase", "Pending")],
            {"statusTemplate": _STARTED},
            _after(START_DELAY_SECONDS, START_DELAY_ANNOTATION),
        ),
        _stage(
            "pod-of-job-succeeds",
            "Pod",
            [
                _LIVES,
                _has(".status.phase", "Running"),
                _has(".metadata.ownerReferences.[].kind", "Job"),
            ],
            {"statusTemplate": _SUCCEEDED},
            _after(RUN_TIME_SECONDS, RUN_TIME_ANNOTATION),
        ),
        _stage(
            "pod-delete",
            "Pod",
            [{"key": ".metadata.deletionTimestamp", "operator": "Exists"}],
            {"delete": True},
            {},
        ),
    ]


def _has(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "operator": "In", "values": [value]}


def _after(seconds: int, annotation: str) -> dict[str, Any]:
    """After *seconds*, or what the pod's *annotation* says."""
    return {
        "durationMilliseconds": seconds * 1000,
        "durationFrom": {"expressionFrom": f'.metadata.annotations["{annotation}"]'},
    }


def _stage(
    name: str,
    kind: str,
    expressions: list[dict[str, Any]],
    next_: dict[str, Any],
    delay: dict[str, Any],
) -> dict[str, Any]:
    spec: dict[str, Any] = {
        "resourceRef": {"apiGroup": "v1", "kind": kind},
        "selector": {"matchExpressions": expressions},
        "next": next_,
    }
    if delay:
        spec["delay"] = delay
    return {
        "apiVersion": "kwok.x-k8s.io/v1alpha1",
        "kind": "Stage",
        "metadata": {"name": name},
        "spec": spec,
    }
