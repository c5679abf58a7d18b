"""CronFederatedHPA of autoscaling.karmada.io/v1alpha1: replicas by the clock.

Owns the model. The target is a workload, whose replicas it writes, or a FederatedHPA, whose bounds
it writes.

Source: ``pkg/apis/autoscaling/v1alpha1/cronfederatedhpa_types.go`` (Karmada 1.18).
"""

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from placement.karmada.meta import (
    CrossVersionObjectReference,
    Int32,
    ObjectMeta,
    Time,
    WireModel,
)


class CronRule(WireModel):
    """When, and how many.

    Attributes:
        name: unique in the object; the history goes by it.
        schedule: a cron expression of five to seven fields.
        target_replicas: for a workload.
        target_min_replicas: for a FederatedHPA.
        target_max_replicas: for a FederatedHPA.
        time_zone: such as ``Europe/Berlin``; absent stands for that of the controller.
        successful_history_limit: executions kept, 1 to 32.
        failed_history_limit: executions kept, 0 to 32.
    """

    name: Annotated[str, Field(min_length=1, max_length=32)]
    schedule: str
    target_replicas: Int32 | None = None
    target_min_replicas: Int32 | None = None
    target_max_replicas: Int32 | None = None
    suspend: bool = False
    time_zone: str | None = None
    successful_history_limit: Annotated[
        int,
        Field(ge=1, le=32),
        WithJsonSchema({"type": "integer", "format": "int32", "minimum": 1, "maximum": 32}),
    ] = 3
    failed_history_limit: Annotated[
        int,
        Field(ge=0, le=32),
        WithJsonSchema({"type": "integer", "format": "int32", "minimum": 0, "maximum": 32}),
    ] = 3


class CronFederatedHPASpec(WireModel):
    """What is scaled, when."""

    scale_target_ref: CrossVersionObjectReference
    rules: tuple[CronRule, ...]


class SuccessfulExecution(WireModel):
    """An execution that was made, and what it wrote."""

    schedule_time: Time
    execution_time: Time
    applied_replicas: Int32 | None = None
    applied_max_replicas: Int32 | None = None
    applied_min_replicas: Int32 | None = None


class FailedExecution(WireModel):
    """An execution that failed, and why."""

    schedule_time: Time
    execution_time: Time
    message: str


class ExecutionHistory(WireModel):
    """What became of one rule.

    Attributes:
        next_execution_time: absent for a suspended rule.
    """

    rule_name: str
    next_execution_time: Time | None = None
    successful_executions: tuple[SuccessfulExecution, ...] = ()
    failed_executions: tuple[FailedExecution, ...] = ()


class CronFederatedHPAStatus(WireModel):
    """What became of all rules."""

    execution_histories: tuple[ExecutionHistory, ...] = ()


class CronFederatedHPA(WireModel):
    """Scales by the clock."""

    api_version: Literal["autoscaling.karmada.io/v1alpha1"] = "autoscaling.karmada.io/v1alpha1"
    kind: Literal["CronFederatedHPA"] = "CronFederatedHPA"
    metadata: ObjectMeta
    spec: CronFederatedHPASpec
    status: CronFederatedHPAStatus | None = None
