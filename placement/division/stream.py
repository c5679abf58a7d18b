"""Answers to cases, a line for a line: the body of ``python -m placement divide``.

Owns the JSON form of an answer.
"""

import json

from placement.division.binding import Division
from placement.division.case import parse_case
from placement.division.scheduler import schedule


def answer(line: str, *, number: int = 1, file: str = "stdin") -> str:
    """Return the answer to a case as a JSON object on one line, without its end.

    The object holds ``id`` and either ``replicas`` (by cluster name) or ``error`` (the message
    that Karmada gives); keys are sorted, without spaces.

    Args:
        line: the case, a JSON object.
        number: of the line, from 1, for messages.
        file: that the line comes from, for messages.

    Raises:
        BadInputError: the line is no case.
    """
    case = parse_case(line, number=number, file=file)
    result = schedule(case.clusters, case.binding)
    said = (
        {"replicas": dict(result.replicas)}
        if isinstance(result, Division)
        else {"error": result.message}
    )
    return json.dumps({"id": case.id, **said}, sort_keys=True, separators=(",", ":"))
