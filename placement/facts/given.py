"""What a user states of a file that does not say it itself: date, source, currency, VAT.

Owns the rule that nothing of this has a default: a format that lacks it asks for it, and one that
states it cannot be contradicted.
"""

from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from placement.facts.rows import Vat
from placement.faults import BadInputError, Fault

T = TypeVar("T")


@dataclass(frozen=True)
class Given:
    """What the command line states.

    Attributes:
        file: that it is said of, as the user named it.
    """

    file: str
    dated: date | None = None
    source: str | None = None
    currency: str | None = None
    vat: Vat | None = None

    def day(self, stated: date | None) -> date:
        """The day of the figures."""
        return self._one("date", stated, self.dated, "--date YYYY-MM-DD")

    def money(self, stated: str | None) -> str:
        """The currency of the figures, as an ISO 4217 code."""
        return self._one("currency", stated, self.currency, "--currency with an ISO 4217 code")

    def basis(self, stated: Vat | None) -> Vat:
        """Whether value-added tax is in the figures."""
        return self._one("vat", stated, self.vat, "--vat net or --vat gross")

    def named(self, published: str) -> str:
        """The source: what the user says, else where this format is published."""
        return self.source or published

    def _one(self, key: str, stated: T | None, said: T | None, way: str) -> T:
        if stated is not None and said is not None and stated != said:
            message = f"read {stated} in the file and {said} on the command line; allowed one"
            raise BadInputError(Fault(self.file, 0, key, message))
        value = said if stated is None else stated
        if value is None:
            raise BadInputError(Fault(self.file, 0, key, f"the format states none; allowed {way}"))
        return value
