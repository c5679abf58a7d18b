"""Alerts and dashboards: what they name exists, and what somebody is woken for has a way out."""

import re
from pathlib import Path

import pytest

from components.carrier.monitoring import dashboards, predictions
from components.carrier.monitoring.chart import alerts
from components.carrier.monitoring.scrapes import monitors
from placement.division.webster import TIE_PROOF_SCALE

PAGE = Path(__file__).parents[3] / "docs" / "carrier.md"

METRICS = {
    # Prometheus itself
    "up",
    # Karmada 1.18.2, pkg/metrics and pkg/scheduler/metrics
    "cluster_ready_state",
    "cluster_cpu_allocatable_number",
    "cluster_cpu_allocated_number",
    "cluster_memory_allocatable_bytes",
    "cluster_memory_allocated_bytes",
    "eviction_queue_depth",
    "karmada_scheduler_e2e_scheduling_duration_seconds_bucket",
    "karmada_scheduler_schedule_attempts_total",
    # kube-apiserver 1.35
    "apiserver_request_total",
    "apiserver_request_duration_seconds_bucket",
    # etcd 3.6
    "etcd_disk_wal_fsync_duration_seconds_bucket",
    "etcd_mvcc_db_total_size_in_bytes",
    "etcd_server_leader_changes_seen_total",
    "etcd_server_quota_backend_bytes",
    # kube-state-metrics 2.20
    "kube_cronjob_status_last_successful_time",
    # ours
    "federation_certificate_end_timestamp_seconds",
    "federation_policy_weight",
    "federation_binding_replicas",
    "federation:predicted_replicas:sum",
    "federation:scheduled_replicas:sum",
}
"""Every series that an expression may name, by who shows it."""

_SERIES = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b|\bfederation:[a-z_:]+|\bup\b")
_FUNCTIONS = {"histogram_quantile"}


def rules() -> list[dict[str, str]]:
    """Every rule of the project."""
    return [rule for group in alerts()["groups"] for rule in group["rules"]]


def expressions() -> list[str]:
    """Every expression of a rule or a panel."""
    panels = [panel for board in dashboards.read() for panel in board["panels"]]
    drawn = [expression for panel in panels for expression in panel["queries"].values()]
    return [*(rule["expr"] for rule in rules()), *drawn]


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_names_series_that_exist(expression: str) -> None:
    """A slip in a series' name makes an alert that never fires."""
    plain = re.sub(r'"[^"]*"', "", expression)
    labels = set(re.findall(r"([a-z_]+)\s*(?:=~|!~|!=|=)(?!=)", plain))
    grouped = re.findall(r"\b(?:by|on|ignoring)\s*\(([^)]*)\)", plain)
    labels |= {label.strip() for group in grouped for label in group.split(",")}
    named = set(_SERIES.findall(plain)) - _FUNCTIONS - labels
    assert named
    assert named <= METRICS


def test_every_alert_has_a_way_out() -> None:
    """What wakes somebody up stands on the page, with what to do."""
    page = PAGE.read_text("utf-8")
    named = [rule["alert"] for rule in rules() if "alert" in rule]
    assert len(named) > 10
    for name in named:
        assert f"`{name}`" in page, name


def test_a_weight_is_read_as_the_engine_writes_it() -> None:
    """The decided number of replicas is a weight without its rank."""
    (rule,) = [
        each for each in rules() if each.get("record") == "federation:predicted_replicas:sum"
    ]
    assert f"federation_policy_weight / {TIE_PROOF_SCALE})" in rule["expr"]


def test_the_counted_kinds_have_the_fields() -> None:
    """Both metrics have the labels by which a policy's prediction meets its binding."""
    for resource in predictions.state()["spec"]["resources"]:
        (metric,) = resource["metrics"]
        labels = {*resource["labelsFromPath"], *metric["each"]["gauge"]["labelsFromPath"]}
        assert labels == {"namespace", "policy", "cluster"}
        assert f"{resource['metricNamePrefix']}_{metric['name']}" in METRICS


def test_every_job_that_an_expression_asks_for_is_scraped() -> None:
    """A job is a pod's name label: some monitor selects each."""
    selected = str(monitors())
    jobs = set(re.findall(r'\bjob="([^"]+)"', " ".join(expressions())))
    assert jobs == {"karmada-apiserver", "etcd"}
    for job in jobs:
        assert job in selected
