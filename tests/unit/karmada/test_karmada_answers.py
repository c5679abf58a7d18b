"""Karmada 1.18.2 and this project say the same of 1,200 random objects of eight kinds.

The answers were given by Karmada's own webhooks, and for Cluster by the validation of its API
server. A line of the data is ``{"id", "kind", "object"}`` with ``"answer"``, the text of the
refusal (empty for none; for Cluster the list of its errors), or with ``"stored"``, the spec as the
mutating webhook leaves it.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from placement.karmada.autoscaler_validation import autoscaler_errors
from placement.karmada.cluster_validation import cluster_errors
from placement.karmada.cron_validation import cron_errors
from placement.karmada.defaults import with_defaults
from placement.karmada.field_errors import FieldError
from placement.karmada.override_validation import override_errors
from placement.karmada.quota_validation import quota_errors
from placement.karmada.service_validation import service_errors
from placement.karmada.taint_validation import taint_policy_errors

_DATA = Path(__file__).parent / "data" / "karmada-1.18.2-admission.jsonl.gz"
_RULES: dict[str, Callable[[Mapping[str, Any]], list[FieldError]]] = {
    "OverridePolicy": lambda policy: override_errors(policy["spec"], "default"),
    "ClusterOverridePolicy": lambda policy: override_errors(policy["spec"], ""),
    "ClusterTaintPolicy": lambda policy: taint_policy_errors(policy["spec"]),
    "FederatedResourceQuota": quota_errors,
    "FederatedHPA": autoscaler_errors,
    "CronFederatedHPA": cron_errors,
    "MultiClusterService": service_errors,
    "Cluster": cluster_errors,
}


@cache
def _cases(key: str) -> list[dict[str, Any]]:
    with gzip.open(_DATA, "rt", encoding="utf-8") as lines:
        return [case for line in lines for case in [json.loads(line)] if key in case]


def _is_made_of(answer: str, messages: Sequence[str]) -> bool:
    """Return whether a refusal is these messages and nothing else; Go joins them in any order."""
    different = sorted(set(messages), key=len, reverse=True)
    if len(different) < 2:
        return answer == "".join(different)
    rest = answer
    for message in different:
        if message not in rest:
            return False
        rest = rest.replace(message, "", 1)
    return rest == f"[{', ' * (len(different) - 1)}]"


def test_the_data_is_whole() -> None:
    """Of each kind there are 150 objects, 60 of which Karmada accepts."""
    assert Counter(case["kind"] for case in _cases("answer")) == dict.fromkeys(_RULES, 150)
    accepted = Counter(case["kind"] for case in _cases("answer") if not case["answer"])
    assert accepted == dict.fromkeys(_RULES, 60)


def test_the_refusals_are_karmadas() -> None:
    """For every object the texts of all errors are Karmada's to the letter."""
    wrong = []
    for case in _cases("answer"):
        messages = [error.message for error in _RULES[case["kind"]](case["object"])]
        answer = case["answer"]
        same = (
            sorted(answer) == sorted(messages)
            if isinstance(answer, list)
            else _is_made_of(answer, messages)
        )
        if not same:
            wrong.append(case["id"])
    assert wrong == []


def test_the_defaults_are_karmadas() -> None:
    """Every FederatedHPA is stored as its mutating webhook would store it."""
    wrong = [
        case["id"]
        for case in _cases("stored")
        if with_defaults(case["object"])["spec"] != case["stored"]
    ]
    assert (wrong, len(_cases("stored"))) == ([], 60)
