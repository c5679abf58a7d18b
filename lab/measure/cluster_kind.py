"""The kind ``Cluster``: what the project says of an object against the real aggregated API server.

Owns the comparison, object by object: accepted or refused, and which field is refused by which
kind of error. Nothing is stored: every object is sent as a dry run.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lab.kubernetes.client import Api, RefusedError
from placement.karmada.admission import admission_errors
from placement.karmada.field_errors import FieldError

Plain = dict[str, Any]


@dataclass(frozen=True)
class Disagreement:
    """An object of which the project and the server say different things.

    Attributes:
        cluster: the object.
        predicted: the errors that the project names.
        actual: those that the server names.
    """

    cluster: Plain
    predicted: tuple[FieldError, ...]
    actual: tuple[FieldError, ...]


@dataclass(frozen=True)
class Verdicts:
    """What was compared.

    Attributes:
        objects: how many.
        accepted: by the server.
        errors: that the server named, in all.
        same_words: those of them whose whole text is the project's.
        disagreements: in acceptance, field or type of error.
    """

    objects: int
    accepted: int
    errors: int
    same_words: int
    disagreements: tuple[Disagreement, ...]


def compare(api: Api, clusters: Iterable[Plain]) -> Verdicts:
    """Ask the server behind *api* about each of *clusters*, and compare.

    Raises:
        FederationError: the server is not reached, or refuses one for no fault in it.
    """
    objects = accepted = errors = same_words = 0
    disagreements: list[Disagreement] = []
    for cluster in clusters:
        predicted = tuple(sorted(admission_errors(cluster)))
        actual = tuple(sorted(_asked(api, cluster)))
        objects += 1
        accepted += not actual
        errors += len(actual)
        texts = [error.message for error in predicted]
        for error in actual:
            if error.message in texts:
                texts.remove(error.message)
                same_words += 1
        if _kinds(predicted) != _kinds(actual):
            disagreements.append(Disagreement(cluster, predicted, actual))
    return Verdicts(objects, accepted, errors, same_words, tuple(disagreements))


def _asked(api: Api, cluster: Plain) -> list[FieldError]:
    """The errors that the server names; none where it accepts."""
    try:
        api.create(cluster, dry_run=True)
    except RefusedError as refused:
        if not refused.causes:
            raise
        return [
            FieldError(cause["field"], cause["reason"], f"{cause['field']}: {cause['message']}")
            for cause in refused.causes
        ]
    return []


def _kinds(errors: Iterable[FieldError]) -> list[tuple[str, str]]:
    return sorted((error.field, error.type) for error in errors)
