"""Each rule by itself: on what it fires, on what it does not, and what it cannot tell."""

import base64
from collections.abc import Mapping
from typing import Any

import pytest

from policies.known import Known
from policies.resources import NotEvaluableError, Resource
from policies.rules import RULES
from policies.values import Hidden, Unknown, read
from tests.policies.analyzed import CHECKOUT
from tests.policies.cases import (
    CASES,
    CONFIG_MAP,
    EVEN,
    FACTS,
    FEDERATION,
    MEMBERSHIP,
    NOWHERE,
    PLANTED,
    POLICY,
    PROVIDER,
    STATEFUL_SET,
    Case,
    config_map,
    policy,
    policy_of,
    region,
    stateful_set,
    tolerations,
)

SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET = {SIGNATURE: "1b47061264138c4ac30d75fd1eb44270", "value": PLANTED}
OUTPUT = {SIGNATURE: "d0e6a833031e9bbcd3f4e8bde6ca49a4"}
UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"


def known() -> Known:
    """What a federation plane has said of its clusters."""
    facts = Known()
    facts.learn(Resource(FEDERATION, "production", FACTS))
    return facts


def said(title: str, type_: str, props: Mapping[str, Any], facts: Known | None = None) -> list[str]:
    """What the rule named *title* says of a resource."""
    (rule,) = [rule for rule in RULES if rule.name == title]
    return list(rule.check(Resource(type_, "it", props, "urn"), facts or known()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.policy)
def test_a_rule_fires_once_on_what_breaks_it_and_no_other_rule_does(case: Case) -> None:
    """What breaks one rule in one way gets one message, from that rule."""
    facts = known()
    resource = Resource(case.type, "it", case.bad)
    messages = [
        (rule.name, text)
        for rule in RULES
        if not rule.outputs
        for text in rule.check(resource, facts)
    ]
    assert [name for name, _ in messages] == [case.policy]
    assert case.said in messages[0][1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.policy)
def test_every_rule_is_quiet_on_what_is_good(case: Case) -> None:
    """A resource that differs from the bad one only where it must is refused by nobody."""
    resource = Resource(case.type, "it", case.good)
    assert [text for rule in RULES for text in rule.check(resource, known())] == []


def test_every_rule_has_a_page_and_a_case() -> None:
    """Each code has its page; each policy but that of outputs has a case."""
    assert {rule.name for rule in RULES if not rule.outputs} == {case.policy for case in CASES}
    for rule in RULES:
        page = (CHECKOUT / rule.page).read_text("utf-8")
        assert page.startswith(f"# {rule.code} ")
        for heading in ("## Why", "## Fires on", "## Fix", "## Not evaluable"):
            assert heading in page
        assert rule.level in page


# ── values ──


@pytest.mark.parametrize(
    ("wire", "value"),
    [
        (7000001.0, 7000001),
        (0.5, 0.5),
        (SECRET, Hidden()),
        ({**OUTPUT, "value": "x", "secret": True}, Hidden()),
        ({**OUTPUT, "secret": True}, Hidden()),
        ({**OUTPUT, "value": [1.0]}, [1]),
        (OUTPUT, Unknown()),
        ({"a": [UNKNOWN]}, {"a": [Unknown()]}),
        ({SIGNATURE: "an asset", "text": "t"}, {"text": "t"}),
        ({"a": None}, {"a": None}),
    ],
)
def test_the_engines_values_are_read_with_their_marks(wire: Any, value: Any) -> None:
    """Numbers become whole again; secret, unknown and the outputs that are either keep that."""
    found = read(wire)
    assert (type(found), found) == (type(value), value)


def test_a_secret_is_gone_once_read() -> None:
    """No rule can print what it never had."""
    assert PLANTED not in repr(vars(read(SECRET)))


def test_nothing_secret_or_unknown_is_taken_for_good() -> None:
    """Every rule says that it cannot tell, where what it looks at is unknown or secret."""
    for mark, words in ((Unknown(), "is known after the update only"), (Hidden(), "is secret")):
        for title in ("FED001-carrier", "FED002-spread", "FED003-max-groups", "FED007-division"):
            whole = {**policy(EVEN, EVEN), "spec": mark}
            with pytest.raises(NotEvaluableError, match=f"^spec {words}"):
                said(title, POLICY, whole)
        part = policy(EVEN, EVEN, clusterTolerations=[{"key": mark}])
        with pytest.raises(NotEvaluableError, match=rf"clusterTolerations\[0\].key {words}"):
            said("FED004-tolerations", POLICY, part)
        with pytest.raises(NotEvaluableError, match=f"clusterIdentifier {words}"):
            said("FED005-provider", PROVIDER, {"clusterIdentifier": mark})


@pytest.mark.parametrize("nonsense", ["text", ["text"], 3, {"a": 1}])
@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("spreadConstraints", "FED002-spread"),
        ("spreadConstraints", "FED003-max-groups"),
        ("clusterTolerations", "FED004-tolerations"),
        ("clusterAffinity", "FED001-carrier"),
        ("clusterAffinities", "FED001-carrier"),
        ("replicaScheduling", "FED007-division"),
    ],
)
def test_what_the_api_server_would_refuse_is_no_crash(nonsense: Any, key: str, title: str) -> None:
    """A policy of the wrong shape is not evaluable: rules never end a run by themselves."""
    with pytest.raises(NotEvaluableError, match=rf"spec\.placement\.{key}"):
        said(title, POLICY, policy(EVEN, EVEN, **{key: nonsense}))


# ── FED001 ──


@pytest.mark.parametrize(
    "where",
    [
        {"clusterAffinity": {"clusterNames": ["ash", "tokyo"]}},
        {
            "clusterAffinity": None,
            "clusterAffinities": [{"affinityName": "a", "clusterNames": ["tokyo"]}],
        },
    ],
)
def test_the_carrier_is_found_wherever_a_policy_names_it(where: dict[str, Any]) -> None:
    """In the affinity, in each of several affinities, in weights."""
    (message,) = said("FED001-carrier", POLICY, policy({"ash": 1}, **where))
    assert "names tokyo, the carrier" in message


def test_the_carrier_may_be_excluded() -> None:
    """Naming a cluster in order to leave it out is no target."""
    affinity = {"clusterNames": ["ash", "tokyo"], "exclude": ["tokyo"]}
    assert said("FED001-carrier", POLICY, policy({"ash": 1}, clusterAffinity=affinity)) == []


@pytest.mark.parametrize(
    ("type_", "props"),
    [
        ("kubernetes:cluster.karmada.io/v1alpha1:Cluster", {"metadata": {"name": "tokyo"}}),
        (MEMBERSHIP, {"cluster": "tokyo", "carriers": ["tokyo"]}),
    ],
)
def test_the_carrier_never_becomes_a_member(type_: str, props: dict[str, Any]) -> None:
    """A policy that selects by label could reach it otherwise."""
    (message,) = said("FED001-carrier", type_, props)
    assert "tokyo, the carrier" in message


def test_without_a_carrier_nothing_is_passed() -> None:
    """A policy that names clusters is not evaluable as long as nobody said which one carries."""
    with pytest.raises(NotEvaluableError, match="which cluster is the carrier"):
        said("FED001-carrier", POLICY, policy(EVEN, EVEN), Known())


def test_the_carrier_plane_itself_says_which_cluster_it_is() -> None:
    """In a stack that holds both, the carrier's own component is enough."""
    facts = Known()
    facts.learn(Resource("federation:carrier:Carrier", "c", {"cluster": {"name": "tokyo"}}))
    assert facts.carriers == {"tokyo"}


# ── FED002 ──


def test_a_tie_that_may_break_the_spread_is_a_violation() -> None:
    """Two of three clusters get one, by the UID: what holds for one UID only is broken."""
    one = policy(
        {"ash": 1, "nbg": 1, "fsn": 1}, {"ash": 1, "nbg": 1}, spreadConstraints=region(2, 2)
    )
    (message,) = said("FED002-spread", POLICY, one)
    assert "1 by region (eu-central)" in message


def test_more_groups_than_allowed_are_a_violation() -> None:
    """Static weights use three clusters, whatever maxGroups says."""
    three = {"ash": 1, "nbg": 1, "fsn": 1}
    most = [{"spreadByField": "cluster", "minGroups": 1, "maxGroups": 2}]
    (message,) = said("FED002-spread", POLICY, policy(three, three, spreadConstraints=most))
    assert "3 by cluster (ash, fsn, nbg) where 1 to 2 are asked for" in message


def test_every_affinity_is_looked_at() -> None:
    """What is used once the first group has failed must meet the spread as well."""
    terms = [
        {"affinityName": "first", "clusterNames": ["ash", "nbg"]},
        {"affinityName": "backup", "clusterNames": ["fsn"]},
    ]
    props = policy(
        {"ash": 1, "nbg": 1, "fsn": 1},
        {"ash": 1, "nbg": 1},
        clusterAffinity=None,
        clusterAffinities=terms,
        spreadConstraints=region(2, 2),
    )
    (message,) = said("FED002-spread", POLICY, props)
    assert "1 by region (eu-central)" in message


@pytest.mark.parametrize(
    ("field", "groups"),
    [("zone", "2 by zone (nbg1, nbg2)"), ("provider", "1 by provider (hetzner)")],
)
def test_zones_and_providers_count_where_they_are_known(field: str, groups: str) -> None:
    """Karmada does not spread by them; the weights can still be held against them."""
    spread = [{"spreadByField": field, "minGroups": 3, "maxGroups": 9}]
    only = {"nbg": 1}
    (message,) = said("FED002-spread", POLICY, policy(only, only, spreadConstraints=spread))
    assert groups in message


def test_what_can_never_be_met_needs_no_replicas_to_tell() -> None:
    """Two clusters of one region are one region, for any number of replicas."""
    (message,) = said(
        "FED002-spread", POLICY, policy({"nbg": 1, "fsn": 1}, spreadConstraints=region(2, 3))
    )
    assert "put the replicas into 1 by region" in message


@pytest.mark.parametrize(
    ("props", "facts", "reason"),
    [
        (
            policy(EVEN, EVEN, spreadConstraints=region(2, 3)),
            Known(),
            "the region of ash, nbg is not",
        ),
        (policy(EVEN, spreadConstraints=region(2, 3)), known(), "how many replicas are divided"),
        (
            policy(EVEN, EVEN, clusterAffinity={"labelSelector": {"matchLabels": {"tier": "a"}}}),
            known(),
            "selects clusters by label or field",
        ),
        (policy({"ash": 0}, {"ash": 1}), known(), "the API server refuses spec.placement.replica"),
    ],
)
def test_spread_that_cannot_be_told_is_not_passed(
    props: dict[str, Any], facts: Known, reason: str
) -> None:
    """Without regions, replicas or names there is no division to hold against the spread."""
    with pytest.raises(NotEvaluableError, match=reason):
        said("FED002-spread", POLICY, props, facts)


def test_spread_beside_dynamic_weights_is_karmadas_own_matter() -> None:
    """There Karmada does read the constraints."""
    dynamic = policy({"nbg": 1}, spreadConstraints=region(2, 3))
    dynamic["spec"]["placement"]["replicaScheduling"]["weightPreference"] = {
        "dynamicWeight": "AvailableReplicas"
    }
    assert said("FED002-spread", POLICY, dynamic) == []


# ── FED003 ──


def test_only_what_is_missing_is_said_of_a_constraint() -> None:
    """A spread by zone, which Karmada does not do, is none of this rule's matter."""
    zones = [{"spreadByField": "zone", "minGroups": 1, "maxGroups": 2}]
    assert said("FED003-max-groups", POLICY, policy(EVEN, EVEN, spreadConstraints=zones)) == []
    for absent in ({}, {"maxGroups": 0}):
        (message,) = said(
            "FED003-max-groups",
            POLICY,
            policy(EVEN, EVEN, spreadConstraints=[{"spreadByField": "cluster", **absent}]),
        )
        assert "spreadConstraints[0].maxGroups" in message


# ── FED004 ──


@pytest.mark.parametrize(
    ("given", "count"),
    [
        (tolerations(), 0),
        ([{"operator": "Exists", "effect": "NoExecute"}], 0),
        (None, 2),
        (tolerations("NoSchedule"), 4),
        (tolerations(None), 2),
        ([{"operator": "Exists"}], 2),
    ],
)
def test_tolerations_are_judged_by_what_they_tolerate(given: Any, count: int) -> None:
    """Each taint of a lost cluster: NoExecute must be tolerated, NoSchedule must not."""
    props = policy(EVEN, EVEN, clusterTolerations=given)
    assert len(said("FED004-tolerations", POLICY, props)) == count


def test_a_toleration_without_effect_is_told_from_none() -> None:
    """The message says what an empty effect does: it places on dead clusters."""
    props = policy(EVEN, EVEN, clusterTolerations=tolerations(None))
    messages = said("FED004-tolerations", POLICY, props)
    assert ["dead already" in text for text in messages] == [True, True]


# ── FED005 ──


def test_a_provider_that_renders_files_has_no_cluster() -> None:
    """It takes no identifier; one with an empty identifier has none."""
    assert said("FED005-provider", PROVIDER, {"renderYamlToDirectory": "out"}) == []
    assert len(said("FED005-provider", PROVIDER, {"clusterIdentifier": ""})) == 1


# ── FED006 ──

WEB_TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzeXN0ZW0ifQ.c2lnbmF0dXJlc2ln"
PRIVATE_KEY = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n"


@pytest.mark.parametrize(
    ("props", "look"),
    [
        ({"kubeconfig": NOWHERE}, "a kubeconfig with a credential"),
        ({"a": "users:\n- user:\n    token: abc\ncurrent-context: x\n"}, "a kubeconfig with"),
        ({"a": base64.b64encode(NOWHERE.encode()).decode()}, "a kubeconfig with a credential"),
        ({"a": [{"b": WEB_TOKEN}]}, "a JSON web token"),
        ({"a": PRIVATE_KEY}, "a private key"),
        ({"a": "abcdef.0123456789abcdef"}, "a bootstrap token"),
        ({"a": "AKIAIOSFODNN7EXAMPLE"}, "an access key of a cloud"),
        ({"a": "ghp_" + "a" * 36}, "an access token"),
        ({"token": "x"}, "a value named token"),
        ({"spec": {"clientSecret": "x"}}, "a value named clientSecret"),
        ({"env": [{"name": "API_KEY", "value": "x"}]}, "a value named API_KEY"),
        ({"text": "x", "adminPassword": "x"}, "a value named adminPassword"),
    ],
)
def test_what_opens_something_is_found_in_clear(props: dict[str, Any], look: str) -> None:
    """By its look, also in base64, or by the name of field or variable; the value is not said."""
    (message,) = said("FED006-secret", CONFIG_MAP, props)
    assert look in message
    assert PLANTED not in message


@pytest.mark.parametrize(
    "props",
    [
        {"token": Hidden(), "kubeconfig": Hidden()},
        {"kubeconfig": "~/.kube/config", "token": "", "password": None},
        {"kubeconfig": "current-context: x\nusers:\n- user:\n    client-key: /etc/key.pem\n"},
        {"valueFrom": {"secretKeyRef": {"name": "db", "key": "password"}}},
        {"tokenSecretName": "x", "automountServiceAccountToken": False, "passwordRef": "y"},
        {"metadata": {"annotations": {"kubernetes.io/service-account.name": "karmada"}}},
        {"a": "a sentence about the token: it is secret"},
        {"a": "sha256:" + "0123456789abcdef" * 4},
    ],
)
def test_what_opens_nothing_is_left_alone(props: dict[str, Any]) -> None:
    """Marked, empty, a path, a reference, a hash: nothing to hide."""
    assert said("FED006-secret", CONFIG_MAP, props) == []


def test_everything_in_a_secret_is_secret() -> None:
    """What a user put into a Secret is one, whatever it looks like."""
    kind = "kubernetes:core/v1:Secret"
    assert len(said("FED006-secret", kind, {"stringData": {"greeting": "hello"}})) == 1
    assert said("FED006-secret", kind, {"data": {"a": Hidden()}, "type": "Opaque"}) == []


def test_a_value_that_is_not_known_yet_may_be_a_secret() -> None:
    """It is said that it cannot be told, after what can be; a marked one is in order."""
    props = config_map({"password": "x", "later": Unknown()})
    (rule,) = [rule for rule in RULES if rule.name == "FED006-secret"]
    told = rule.check(Resource(CONFIG_MAP, "it", props), Known())
    assert "data.password" in next(told)
    with pytest.raises(NotEvaluableError, match=r"^data\.later: known after the update only$"):
        next(told)


def test_an_output_that_repeats_an_input_is_said_once() -> None:
    """The engine shows inputs first, outputs in the end; one thing in clear is one message."""
    facts = known()
    props = {"token": "x"}
    assert len(said("FED006-secret", CONFIG_MAP, props, facts)) == 1
    assert said("FED006-secret-output", CONFIG_MAP, props, facts) == []
    assert len(said("FED006-secret-output", CONFIG_MAP, {"password": "x"}, facts)) == 1


def test_only_a_stacks_own_outputs_must_be_known() -> None:
    """What providers compute is unknown at every first preview."""
    assert said("FED006-secret-output", CONFIG_MAP, {"uid": Unknown()}) == []
    with pytest.raises(NotEvaluableError, match="uid"):
        said("FED006-secret-output", "pulumi:pulumi:Stack", {"uid": Unknown()})


# ── FED007 ──


def test_counts_that_a_tie_decides_are_not_promised() -> None:
    """Three replicas at 1:1 are 2 and 1 or 1 and 2, by a UID that nobody knows."""
    (message,) = said("FED007-division", POLICY, policy({"ash": 1, "nbg": 1}, {"ash": 2, "nbg": 1}))
    assert "the weights tie: Karmada makes 2 ash, 1 nbg or 1 ash, 2 nbg" in message


def test_tie_proof_weights_keep_their_promise() -> None:
    """The weights that this project emits divide into the counts that they were made from."""
    weights = {"ash": 2000001, "nbg": 2000000, "fsn": 1000002}
    assert said("FED007-division", POLICY, policy(weights, {"ash": 2, "nbg": 2, "fsn": 1})) == []


@pytest.mark.parametrize(
    "text", ["7 and 3", "[7, 3]", '{"ash": "7"}', '{"ash": 1.5}', '{"ash": true}']
)
def test_an_annotation_that_is_no_count_is_a_violation(text: str) -> None:
    """Whoever reads the annotation must be able to."""
    props = policy(EVEN, EVEN)
    props["metadata"]["annotations"]["federation/replicas"] = text
    (message,) = said("FED007-division", POLICY, props)
    assert "is no JSON of counts by cluster" in message


def test_free_capacity_promises_nothing() -> None:
    """Counts beside dynamic weights are an estimate, which this rule cannot tell."""
    dynamic = policy(EVEN, EVEN)
    dynamic["spec"]["placement"]["replicaScheduling"]["weightPreference"] = {
        "dynamicWeight": "AvailableReplicas"
    }
    with pytest.raises(NotEvaluableError, match="free capacity decides"):
        said("FED007-division", POLICY, dynamic)


def test_a_policy_without_the_annotation_promises_nothing() -> None:
    """The rule is about what this project writes."""
    assert said("FED007-division", POLICY, policy(EVEN)) == []


# ── continents ──


def test_continents_hold_after_the_promised_loss_alone() -> None:
    """FED008: what promises its spread is judged with each region gone; what does not is not."""
    counts = {"ash": 1, "fsn": 1, "nbg": 2}
    assert said("FED008-continents", POLICY, policy_of("api", counts)) == []
    (message,) = said("FED008-continents", POLICY, policy_of("ledger", counts))
    assert message.startswith(
        "after the loss of region eu-central Karmada divides a critical workload over "
        "north-america where 2 continents are promised"
    )


def test_continents_of_other_workloads_are_not_asked_for() -> None:
    """FED008: neither a workload of another class nor a policy of nobody's workload is judged."""
    counts = {"fsn": 1, "nbg": 2}
    for title in ("FED008-continents", "FED008-single-continent"):
        assert said(title, POLICY, policy_of("batch", counts)) == []
        assert said(title, POLICY, policy(counts, counts)) == []


def test_continents_are_not_evaluable_where_nobody_says_them() -> None:
    """FED008: an unknown workload, or a division by free capacity, is no pass."""
    dynamic = policy_of("api", {"fsn": 1, "nbg": 2})
    preference = {"dynamicWeight": "AvailableReplicas"}
    dynamic["spec"]["placement"]["replicaScheduling"]["weightPreference"] = preference
    for props in (policy_of("nobody", {"fsn": 1, "nbg": 2}), dynamic):
        with pytest.raises(NotEvaluableError):
            said("FED008-continents", POLICY, props)


# ── FED009 ──


@pytest.mark.parametrize(
    ("kind", "props", "path"),
    [
        (
            "apps/v1:Deployment",
            {"spec": {"template": {"spec": {"volumes": [{"name": "d", "hostPath": {}}]}}}},
            "spec.template.spec.volumes[0].hostPath is a disk of a node",
        ),
        (
            "core/v1:Pod",
            {"spec": {"volumes": [{"name": "d", "hostPath": {"path": "/d"}}]}},
            "spec.volumes[0].hostPath is a disk of a node",
        ),
        (
            "batch/v1:CronJob",
            {
                "spec": {
                    "jobTemplate": {
                        "spec": {
                            "template": {
                                "spec": {
                                    "volumes": [
                                        {"ephemeral": {"volumeClaimTemplate": {"spec": {}}}}
                                    ]
                                }
                            }
                        }
                    }
                }
            },
            "volumes[0].ephemeral.volumeClaimTemplate.spec.storageClassName is '' where",
        ),
        ("core/v1:PersistentVolume", {"spec": {"local": {"path": "/d"}}}, "spec.local is a disk"),
        ("core/v1:PersistentVolumeClaim", {"spec": {}}, "spec.storageClassName is '' where"),
    ],
)
def test_a_disk_of_a_node_is_found_in_each_kind(
    kind: str, props: dict[str, Any], path: str
) -> None:
    """FED009: every way to a node's disk is a violation, with the path of the field."""
    (message,) = said("FED009-volumes", f"kubernetes:{kind}", props)
    assert path in message


def test_volumes_of_other_planes_are_not_judged() -> None:
    """FED009: the carrier's own StatefulSets have disks to keep; nothing there is a violation."""
    assert said("FED009-volumes", STATEFUL_SET, stateful_set("local-path"), Known()) == []


def test_a_claim_is_not_evaluable_where_no_class_is_known() -> None:
    """FED009: without the storage plane's classes a claim is no pass; a host path is still one."""
    facts = Known()
    facts.learn(Resource(FEDERATION, "production", {"carriers": ["tokyo"]}))
    with pytest.raises(NotEvaluableError, match=r"storageClasses does not say which classes"):
        said("FED009-volumes", STATEFUL_SET, stateful_set("auxiliary-block"), facts)
    (rule,) = [rule for rule in RULES if rule.name == "FED009-volumes"]
    mounted = stateful_set("auxiliary-block", {"name": "d", "hostPath": {"path": "/d"}})
    told = rule.check(Resource(STATEFUL_SET, "it", mounted), facts)
    assert "hostPath is a disk of a node" in next(told)
