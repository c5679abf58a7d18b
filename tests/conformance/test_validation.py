"""Karmada's webhook and this project say the same of 2,000 PropagationPolicy specs.

The answers were given by Karmada 1.18.2 itself. A line of the data is
``{"id", "spec", "expect": {"errors": [{"field", "type", "message"}]}}``.
"""

import gzip
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from placement.karmada.defaults import with_defaults
from placement.karmada.encoding import manifest
from placement.karmada.propagation import PropagationPolicy
from placement.karmada.validation import policy_errors
from review.validate import answers

_DATA = Path(__file__).parent / "data" / "karmada-1.18.2-validation.jsonl.gz"


@cache
def _cases() -> list[dict[str, Any]]:
    with gzip.open(_DATA, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _policy(case: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": case["id"], "namespace": "default"},
        "spec": case["spec"],
    }


def test_the_data_is_whole() -> None:
    """The corpus has 2,000 specs, 680 of which Karmada accepts."""
    accepted = [case for case in _cases() if not case["expect"]["errors"]]
    assert (len(_cases()), len(accepted)) == (2000, 680)


def test_the_same_fields_are_at_fault() -> None:
    """For every spec the fields and the types of the errors are Karmada's."""
    wrong = [
        case["id"]
        for case in _cases()
        if sorted((error.field, error.type) for error in policy_errors(case["spec"]))
        != sorted((error["field"], error["type"]) for error in case["expect"]["errors"])
    ]
    assert wrong == []


def test_the_texts_are_karmadas() -> None:
    """For every spec every message is Karmada's to the letter, and the order is by field."""
    wrong = [
        case["id"]
        for case in _cases()
        if [error.message for error in policy_errors(case["spec"])]
        != [error["message"] for error in case["expect"]["errors"]]
    ]
    assert wrong == []


def test_the_models_hold_every_policy() -> None:
    """Every spec passes through the models without loss: what they write is what is stored."""
    wrong = [
        case["id"]
        for case in _cases()
        for stored in [with_defaults(_policy(case))]
        if json.dumps(manifest(PropagationPolicy.model_validate(stored))) != json.dumps(stored)
    ]
    assert wrong == []


def test_defaults_settle_at_once() -> None:
    """Filling the defaults of a policy twice is filling them once, and leaves the input alone."""
    wrong = []
    for case in _cases():
        before = json.dumps(case["spec"])
        once = with_defaults(_policy(case))
        if with_defaults(once) != once or json.dumps(case["spec"]) != before:
            wrong.append(case["id"])
    assert wrong == []


def test_the_command_answers_the_same() -> None:
    """``python -m review validate`` gives fields, types, texts and order of every spec."""
    lines = (json.dumps({"id": case["id"], "spec": case["spec"]}) for case in _cases())
    given = [(answer["id"], answer["errors"]) for answer in map(json.loads, answers(lines))]
    assert given == [(case["id"], case["expect"]["errors"]) for case in _cases()]
