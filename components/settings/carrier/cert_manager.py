"""cert-manager: certificates for what runs in the cluster."""

from typing import Annotated

from pydantic import Field, model_validator

from placement.federation.base import Model

Hours = Annotated[int, Field(ge=1)]


class CertManager(Model):
    """The life of a certificate that the cluster's own authority signs."""

    hours: Hours = 8760
    renew_before_hours: Hours = 30 * 24
    """How long before its end each is renewed, by cert-manager itself."""

    @model_validator(mode="after")
    def _in_time(self) -> "CertManager":
        if self.renew_before_hours >= self.hours:
            raise ValueError(
                f"read renewBeforeHours {self.renew_before_hours}; allowed less than hours, "
                f"{self.hours}: a certificate would be renewed for ever"
            )
        return self
