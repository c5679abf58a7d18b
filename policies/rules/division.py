"""FED007: the counts that a policy is annotated with are those that Karmada will make."""

from collections.abc import Iterator, Mapping

from policies.known import Known
from policies.resources import NotEvaluableError, Resource
from policies.rule import Rule
from policies.static_division import ANNOTATION, static_division, wanted

_PATH = f"metadata.annotations[{ANNOTATION}]"


def _check(resource: Resource, _: Known) -> Iterator[str]:
    if not resource.is_propagation:
        return
    try:
        counts = wanted(resource)
    except ValueError:
        yield f'{_PATH} is no JSON of counts by cluster, such as {{"a": 7, "b": 3}}'
        return
    if counts is None:
        return
    division = static_division(resource)
    if division is None:
        raise NotEvaluableError("the policy has no static weights: free capacity decides")
    counts = {name: count for name, count in counts.items() if count}
    outcomes = division.outcomes(sum(counts.values()))[0]
    if outcomes == [counts]:
        return
    if len(outcomes) > 1:
        yield (
            f"{_PATH} promises {_shown(counts)}, but the weights tie: Karmada makes "
            f"{' or '.join(_shown(each) for each in outcomes)} by the template's UID, which "
            "nobody knows before; weigh by 1000000 x count + rank (python -m placement render)"
        )
        return
    yield (
        f"{_PATH} promises {_shown(counts)}, but Karmada divides them into "
        f"{_shown(outcomes[0])}; make weights and annotation from one decision "
        "(python -m placement render)"
    )


def _shown(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {name}" for name, n in sorted(counts.items())) or "nothing"


DIVISION = Rule(
    code="FED007",
    title="division",
    description="The annotation federation/replicas is what the weights divide into.",
    level="mandatory",
    severity="high",
    check=_check,
)
