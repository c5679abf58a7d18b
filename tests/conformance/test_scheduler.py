"""Rules of the scheduler that the corpora don't reach, from Karmada's own tests and code."""

import json
from decimal import Decimal

import pytest

from placement.division import (
    ClusterAffinity,
    ClusterAffinityTerm,
    ClusterPreferences,
    ClusterState,
    Division,
    FieldSelector,
    LabelSelector,
    OverflowClusterAffinity,
    Placement,
    ReplicaSchedulingStrategy,
    Requirement,
    SchedulingError,
    SpreadConstraint,
    StaticClusterWeight,
    Taint,
    TargetCluster,
    Toleration,
    answer,
    parse_placement,
    predict,
)
from placement.division.binding import Candidate
from placement.division.regions import Region, select_regions
from placement.faults import BadInputError

_DYNAMIC = ReplicaSchedulingStrategy(
    weight_preference=ClusterPreferences(dynamic_weight="AvailableReplicas")
)
_AGGREGATED = ReplicaSchedulingStrategy(replica_division_preference="Aggregated")
_STATIC = ReplicaSchedulingStrategy()


def _room(*pods: int) -> list[ClusterState]:
    """Clusters m1, m2, … with room for so many pods."""
    return [
        ClusterState(f"m{number}", allocatable={"pods": Decimal(count)})
        for number, count in enumerate(pods, start=1)
    ]


def _targets(*replicas: int) -> tuple[TargetCluster, ...]:
    return tuple(TargetCluster(f"m{number}", n) for number, n in enumerate(replicas, start=1))


def _replicas(answered: Division | SchedulingError) -> dict[str, int]:
    assert isinstance(answered, Division), answered
    return dict(answered.replicas)


def _message(answered: Division | SchedulingError) -> str:
    assert isinstance(answered, SchedulingError), answered
    return answered.message


@pytest.mark.parametrize(
    ("strategy", "room", "previous", "replicas", "division"),
    [
        (_DYNAMIC, (1, 1, 1), (2, 4, 6), 6, (1, 2, 3)),
        (_DYNAMIC, (10, 10, 10), (2, 4, 6), 24, (6, 8, 10)),
        (_AGGREGATED, (1, 1, 1), (4, 8), 6, (0, 6, 0)),
        (_AGGREGATED, (100, 100), (4, 8), 8, (0, 8)),
        (_AGGREGATED, (4, 6, 8), (4, 8), 24, (7, 12, 5)),
        (_AGGREGATED, (6, 6, 20), (4, 8), 24, (10, 14, 0)),
    ],
)
def test_scale_steadily(
    strategy: ReplicaSchedulingStrategy,
    room: tuple[int, ...],
    previous: tuple[int, ...],
    replicas: int,
    division: tuple[int, ...],
) -> None:
    """Karmada's Test_dynamicScale."""
    answered = predict(
        _room(*room),
        Placement(replica_scheduling=strategy),
        replicas,
        request={},
        previous=_targets(*previous),
    )
    expected = {target.name: target.replicas for target in _targets(*division) if target.replicas}
    assert _replicas(answered) == expected


@pytest.mark.parametrize("strategy", [_DYNAMIC, _AGGREGATED])
def test_scale_up_without_room(strategy: ReplicaSchedulingStrategy) -> None:
    """The present division stays, and the message says how much room there is."""
    answered = predict(
        _room(1, 1, 1),
        Placement(replica_scheduling=strategy),
        24,
        request={},
        previous=_targets(2, 4, 6),
    )
    assert _message(answered) == (
        "failed to assign replicas: failed to scale up: "
        "Clusters available replicas 3 are not enough to schedule."
    )
    assert isinstance(answered, SchedulingError)
    assert not answered.clears


def test_cluster_that_disappeared_is_replaced() -> None:
    """Karmada's Test_dynamicScale: m2 and its 8 replicas are gone, m3 and m4 are there."""
    clusters = [cluster for cluster in _room(4, 0, 8, 12) if cluster.name != "m2"]
    answered = predict(
        clusters, Placement(replica_scheduling=_AGGREGATED), 24, previous=_targets(4, 8)
    )
    assert _replicas(answered) == {"m1": 7, "m3": 7, "m4": 10}


def test_fresh_division_forgets_the_present_one() -> None:
    """What is assigned counts as room, and every cluster starts from nothing."""
    placement = Placement(replica_scheduling=_DYNAMIC)
    steady = predict(_room(0, 8), placement, 8, previous=_targets(8))
    fresh = predict(_room(0, 8), placement, 8, previous=_targets(8), fresh=True)
    assert _replicas(steady) == {"m1": 8}
    assert _replicas(fresh) == {"m1": 4, "m2": 4}


def test_fresh_division_of_nothing_overflows() -> None:
    """Nothing is estimated for 0 replicas, and two clusters of 2^31 - 1 add up to -2."""
    answered = predict(
        _room(5, 5), Placement(replica_scheduling=_DYNAMIC), 0, request={}, fresh=True
    )
    assert _message(answered).endswith("Clusters available replicas -2 are not enough to schedule.")


_OVERFLOW = Placement(
    cluster_affinities=(
        ClusterAffinityTerm(
            affinity_name="first",
            cluster_names=("m1",),
            overflow_affinities=(
                OverflowClusterAffinity(affinity_name="then", cluster_names=("m2",)),
            ),
        ),
    ),
    replica_scheduling=_DYNAMIC,
)


@pytest.mark.parametrize(
    ("room", "previous", "replicas", "division"),
    [
        ((10, 10), (), 5, {"m1": 5}),
        ((2, 10), (), 5, {"m1": 2, "m2": 3}),
        ((2, 10), (3,), 8, {"m1": 5, "m2": 3}),
        ((2, 10), (2, 3), 1, {"m1": 1}),
    ],
)
def test_overflow_fills_one_tier_after_the_other(
    room: tuple[int, ...], previous: tuple[int, ...], replicas: int, division: dict[str, int]
) -> None:
    """Karmada's TestAssignReplicas; shrinkage empties the last tier first."""
    answered = predict(_room(*room), _OVERFLOW, replicas, previous=_targets(*previous))
    assert _replicas(answered) == division


def test_overflow_without_room_in_any_tier() -> None:
    """The message of the tiers together has no number."""
    assert _message(predict(_room(2, 2), _OVERFLOW, 10)) == (
        "failed to assign replicas: Clusters available replicas are not enough to schedule."
    )


def test_overflow_is_for_workloads_alone() -> None:
    """An object without replicas and requests goes to the first tier only."""
    assert _replicas(predict(_room(1, 1), _OVERFLOW, 0)) == {"m1": 0}


def test_groups_are_tried_from_the_one_in_use() -> None:
    """Karmada never goes back to an earlier group by itself; a fresh division does."""
    placement = Placement(
        cluster_affinities=(
            ClusterAffinityTerm(affinity_name="main", cluster_names=("m1",)),
            ClusterAffinityTerm(affinity_name="backup", cluster_names=("m2",)),
        ),
        replica_scheduling=_STATIC,
    )
    clusters = _room(9, 9)
    first = predict(clusters, placement, 3)
    assert _replicas(first) == {"m1": 3}
    assert isinstance(first, Division)
    assert first.affinity == "main"
    assert _replicas(predict(clusters[1:], placement, 3)) == {"m2": 3}
    assert _replicas(predict(clusters, placement, 3, observed_affinity="backup")) == {"m2": 3}
    assert _replicas(predict(clusters, placement, 3, observed_affinity="gone")) == {"m1": 3}
    assert _replicas(predict(clusters, placement, 3, observed_affinity="backup", fresh=True)) == {
        "m1": 3
    }


def test_no_feasible_cluster_clears_the_division() -> None:
    """It removes the workload everywhere, which a preview must say."""
    placement = Placement(cluster_affinity=ClusterAffinity(cluster_names=("gone",)))
    answered = predict(_room(1, 1), placement, 1)
    assert _message(answered) == (
        "0/2 clusters are available: "
        "2 cluster(s) did not match the placement cluster affinity constraint."
    )
    assert isinstance(answered, SchedulingError)
    assert answered.clears
    assert set(answered.refused) == {"m1", "m2"}


def test_taints_in_a_message() -> None:
    """Karmada writes a taint without a value as key:effect, and the reasons sorted as text."""
    clusters = [
        ClusterState("m1", taints=(Taint("not-ready", effect="NoSchedule"),)),
        ClusterState("m2", taints=(Taint("plane", "carrier", "NoExecute"),)),
        ClusterState("m3", apis=("StatefulSet",)),
    ]
    assert _message(predict(clusters, Placement(), 1)) == (
        "0/3 clusters are available: 1 cluster(s) did not have the API resource, "
        "1 cluster(s) had untolerated taint {not-ready:NoSchedule}, "
        "1 cluster(s) had untolerated taint {plane=carrier:NoExecute}."
    )


def test_no_cluster_at_all() -> None:
    """The message that Karmada gives for an empty federation."""
    assert _message(predict([], Placement(), 1)) == (
        "0/0 clusters are available: no cluster exists."
    )


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        (SpreadConstraint("zone", max_groups=2), "just support cluster and region"),
        (
            SpreadConstraint(spread_by_label="stage", max_groups=2),
            "just support cluster and region",
        ),
        (SpreadConstraint("cluster"), "no enough resource when selecting 0 clusters"),
        (SpreadConstraint("region"), "the number of clusters is less than"),
    ],
)
def test_constraints_that_select_nothing(constraint: SpreadConstraint, message: str) -> None:
    """Zones and labels are not executed, and maxGroups left out is 0."""
    clusters = [ClusterState("m1", region="r", zones=("z",), allocatable={"pods": Decimal(9)})]
    placement = Placement(spread_constraints=(constraint,), replica_scheduling=_DYNAMIC)
    assert message in _message(predict(clusters, placement, 1))


def test_no_clusters_are_too_few_even_for_no_replicas() -> None:
    """With maxGroups left out, 0 replicas that request something fail too."""
    placement = Placement(spread_constraints=(SpreadConstraint(),), replica_scheduling=_DYNAMIC)
    assert _message(predict(_room(1), placement, 0, request={})) == (
        "failed to select clusters: no enough resource when selecting 0 clusters"
    )


def test_the_last_chosen_cluster_is_exchanged_first() -> None:
    """Clusters in use come first (m1 holds 3, m2 2), but together too little: m3 replaces m2."""
    placement = Placement(
        spread_constraints=(SpreadConstraint("cluster", max_groups=2),),
        replica_scheduling=_DYNAMIC,
    )
    answered = predict(_room(2, 1, 5), placement, 7, previous=_targets(1, 1))
    assert _replicas(answered) == {"m1": 3, "m3": 4}


def test_duplicated_without_max_groups_has_no_cluster() -> None:
    """Capacity does not matter when every cluster gets all replicas, but 0 clusters are none."""
    placement = Placement(spread_constraints=(SpreadConstraint(),))
    assert _message(predict(_room(1), placement, 1)) == (
        "failed to assign replicas: no clusters available to schedule"
    )


@pytest.mark.parametrize(
    ("regions", "least", "most", "clusters", "chosen"),
    [
        ("R1:1:80", 2, 3, 1, ""),
        ("R1:1:80 R2:2:30", 2, 3, 4, ""),
        ("R1:1:80", 1, 3, 1, "R1"),
        ("R1:1:80 R3:1:80 R2:1:60 R5:2:60 R4:5:50 R6:3:50", 1, 3, 10, "R5 R4 R6"),
        ("R1:1:80 R2:4:40 R3:1:30 R4:3:30 R5:3:20 R6:5:10", 2, 6, 5, "R1 R2"),
        ("R1:1:60 R2:1:50 R3:1:40 R4:3:30 R5:3:20 R6:3:10", 1, 3, 6, "R1 R4 R5"),
        ("R1:1:60 R2:2:50 R3:3:40 R4:4:30", 1, 2, 5, "R1 R4"),
        ("R4:1:60 R3:3:50 R1:3:40 R2:4:30", 1, 2, 5, "R3 R1"),
    ],
)
def test_choice_of_regions(regions: str, least: int, most: int, clusters: int, chosen: str) -> None:
    """Karmada's TestSelectGroups; a region is written as name:clusters:score."""
    candidate = Candidate(ClusterState("m"), 0, 0, 0, 0)
    parsed = [
        Region(name, (candidate,) * int(count), int(score))
        for name, count, score in (region.split(":") for region in regions.split())
    ]
    found = select_regions(parsed, least, most, clusters)
    assert " ".join(region.name for region in found) == chosen


@pytest.mark.parametrize(
    ("constraint", "message"),
    [("provider", "provider"), ("region", "region"), ("zone", "zones")],
)
def test_a_constraint_filters_also_with_static_weights(constraint: str, message: str) -> None:
    """A cluster must have the property, although the constraint is ignored otherwise."""
    placement = Placement(
        spread_constraints=(SpreadConstraint(constraint, max_groups=1),), replica_scheduling=_STATIC
    )
    assert f"1 cluster(s) did not have {message} property" in _message(
        predict(_room(1), placement, 1)
    )


def test_static_weights_ignore_spread_and_capacity() -> None:
    """Karmada's issues 3184 and 4805: maxGroups 1 and room for 3 still give 5 and 5."""
    placement = Placement(
        spread_constraints=(SpreadConstraint("cluster", max_groups=1),), replica_scheduling=_STATIC
    )
    assert _replicas(predict(_room(9, 3), placement, 10)) == {"m1": 5, "m2": 5}


def test_the_largest_matching_rule_is_the_weight() -> None:
    """Karmada's issue 730: not the sum and not the first; unmatched clusters get nothing."""
    rules = tuple(
        StaticClusterWeight(ClusterAffinity(cluster_names=names), weight)
        for names, weight in ((("m1",), 1), (("m1", "m2"), 3))
    )
    strategy = ReplicaSchedulingStrategy(weight_preference=ClusterPreferences(rules))
    placement = Placement(replica_scheduling=strategy)
    assert _replicas(predict(_room(0, 0, 0), placement, 8)) == {"m1": 4, "m2": 4}
    elsewhere = [ClusterState("x"), ClusterState("y")]
    assert _replicas(predict(elsewhere, placement, 8)) == {"x": 4, "y": 4}


@pytest.mark.parametrize(
    ("free", "request_", "fits"),
    [
        ({"cpu": "1500m", "pods": "9"}, {"cpu": "500m"}, 3),
        ({"memory": "3Gi", "pods": "9"}, {"memory": "1Gi"}, 3),
        ({"nvidia.com/gpu": "2", "pods": "9"}, {"nvidia.com/gpu": "1"}, 2),
        ({"cpu": "64", "pods": "2"}, {"cpu": "1"}, 2),
        ({"cpu": "64", "pods": "9"}, {"memory": "1Gi"}, 0),
        ({"pods": "4"}, {"cpu": "0"}, 4),
        ({"cpu": "64"}, {}, 0),
    ],
)
def test_room_of_a_cluster(free: dict[str, str], request_: dict[str, str], fits: int) -> None:
    """The scarcest resource counts, pods included; an unknown resource is none."""
    line = {
        "id": "room",
        "clusters": [{"name": "m", "allocatable": free}],
        "placement": {
            "replicaScheduling": {"weightPreference": {"dynamicWeight": "AvailableReplicas"}}
        },
        "replicas": 100,
        "request": request_,
    }
    assert f"available replicas {fits} are" in answer(json.dumps(line))


@pytest.mark.parametrize(
    ("toleration", "tolerated"),
    [
        (Toleration(operator="Exists"), True),
        (Toleration("plane", "Exists"), True),
        (Toleration("plane", "Equal", "carrier"), True),
        (Toleration("plane", "", "carrier", "NoExecute", 300), True),
        (Toleration("plane", "Equal", "compute"), False),
        (Toleration("plane", "Exists", effect="NoSchedule"), False),
        (Toleration("plane", "Gt", "0"), False),
        (Toleration("other", "Exists"), False),
    ],
)
def test_toleration(toleration: Toleration, tolerated: bool) -> None:
    """As in Kubernetes; how long a taint is tolerated does not matter, nor do soft taints."""
    taints = (Taint("soft", effect="PreferNoSchedule"), Taint("plane", "carrier", "NoExecute"))
    clusters = [ClusterState("m", taints=taints)]
    placement = Placement(cluster_tolerations=(toleration,))
    answered = predict(clusters, placement, 1)
    if tolerated:
        assert _replicas(answered) == {"m": 1}
    else:
        assert "untolerated taint {plane=carrier:NoExecute}" in _message(answered)


@pytest.mark.parametrize(
    ("requirement", "matched"),
    [
        (Requirement("tier", "In", ("gold", "silver")), True),
        (Requirement("tier", "NotIn", ("gold",)), False),
        (Requirement("other", "In", ("gold",)), False),
        (Requirement("other", "NotIn", ("gold",)), True),
        (Requirement("tier", "Exists"), True),
        (Requirement("other", "DoesNotExist"), True),
        (Requirement("other", "NotIn", ()), False),
        (Requirement("tier", "Exists", ("gold",)), False),
        (Requirement("tier", "Like", ("gold",)), False),
    ],
)
def test_label_expression(requirement: Requirement, matched: bool) -> None:
    """An absent label is not in any list, and an invalid expression matches nothing."""
    affinity = ClusterAffinity(label_selector=LabelSelector(match_expressions=(requirement,)))
    answered = predict(
        [ClusterState("m", labels={"tier": "gold"})], Placement(cluster_affinity=affinity), 1
    )
    assert isinstance(answered, Division) is matched


@pytest.mark.parametrize(
    ("requirement", "matched"),
    [
        (Requirement("zone", "In", ("a", "x")), True),
        (Requirement("zone", "In", ("x",)), False),
        (Requirement("zone", "NotIn", ("a",)), False),
        (Requirement("zone", "NotIn", ("x",)), True),
        (Requirement("zone", "Exists"), True),
        (Requirement("zone", "DoesNotExist"), False),
        (Requirement("zone", "Like", ("a",)), False),
        (Requirement("region", "In", ("eu",)), True),
        (Requirement("provider", "In", ("",)), False),
        (Requirement("provider", "NotIn", ("aws",)), True),
    ],
)
def test_field_expression(requirement: Requirement, matched: bool) -> None:
    """One common zone is enough since Karmada 1.18; an unset field is absent."""
    affinity = ClusterAffinity(field_selector=FieldSelector((requirement,)))
    answered = predict(
        [ClusterState("m", region="eu", zones=("a", "b"))], Placement(cluster_affinity=affinity), 1
    )
    assert isinstance(answered, Division) is matched


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "corpus:7 line: read '{'; Invalid JSON"),
        ('{"id":"a"}', "corpus:7 clusters: read nothing; this key is required"),
        (
            '{"id":"a","clusters":[{"name":"x","allocatable":{"cpu":"1x"}}],"placement":{},"replicas":1}',
            "corpus:7 clusters[0].allocatable.cpu: read '1x'; allowed a number",
        ),
        (
            '{"id":"a","clusters":[{"name":"x"}],"placement":{"surprise":1},"replicas":1}',
            "corpus:7 placement.surprise: read 1; Unexpected",
        ),
        (
            '{"id":"a","clusters":[{"name":"x"}],"placement":{},"replicas":"1"}',
            "corpus:7 replicas: read '1'; Input should be a valid integer",
        ),
        (
            '{"id":"a","clusters":[{"name":"x"},{"name":"x"}],"placement":{},"replicas":1}',
            "corpus:7 clusters: read x more than once",
        ),
    ],
)
def test_malformed_line(line: str, fault: str) -> None:
    """The fault names the file, the line and the key."""
    with pytest.raises(BadInputError) as caught:
        answer(line, number=7, file="corpus")
    assert fault in str(caught.value)


def test_placement_of_a_policy() -> None:
    """A manifest reads like a case, and its faults name the keys of the manifest."""
    placement = parse_placement(
        {"clusterAffinity": {"clusterNames": ["m1"]}}, number=0, file="policy.yaml"
    )
    assert placement == Placement(cluster_affinity=ClusterAffinity(cluster_names=("m1",)))
    with pytest.raises(BadInputError, match=r"policy.yaml clusterAffinity.clusterNames: read 'm1'"):
        parse_placement({"clusterAffinity": {"clusterNames": "m1"}}, number=0, file="policy.yaml")


def test_answer_is_compact_and_sorted() -> None:
    """One line, sorted keys, no spaces."""
    line = {"id": "a", "clusters": [{"name": "y"}, {"name": "x"}], "placement": {}, "replicas": 2}
    assert answer(json.dumps(line)) == '{"id":"a","replicas":{"x":2,"y":2}}'
    assert answer(json.dumps({**line, "clusters": []})) == (
        '{"error":"0/0 clusters are available: no cluster exists.","id":"a"}'
    )
