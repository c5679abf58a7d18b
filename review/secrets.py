"""What must never be read in a review, and how a text is freed of it.

Owns the secrets that a run knows: the settings that are marked so, and what other stacks published
as secret. A review is made of names, paths and counts; only a message that somebody else wrote,
such as a provider's error, could hold one.
"""

import base64
import re
from collections.abc import Iterator
from typing import Any, Final

import yaml
from pulumi.runtime import config

_MARK: Final = "[secret]"
_LEAST: Final = 4
"""Characters; what is shorter stands in many words, and opens nothing."""

_CREDENTIAL: Final = re.compile(r"(?i)(?:key|key-data|token|password|secret|passphrase)$")


class Secrets:
    """The secrets of a run."""

    def __init__(self) -> None:
        self._texts: set[str] = set()

    def learn(self, value: Any) -> None:
        """Keep *value* out of every text from now on, and what of it opens something.

        Args:
            value: a text, or an object of texts; in a text that is a YAML object, such as a
                kubeconfig, its credentials count one by one.
        """
        self._texts.update(text for text in _texts(value) if len(text) >= _LEAST)

    def learn_settings(self) -> None:
        """Learn the settings of the running program that are marked secret."""
        for key, value in config.CONFIG.get().items():
            if config.is_config_secret(key):
                self.learn(value)

    def without(self, text: str) -> str:
        """Return *text* with every secret replaced."""
        for secret in sorted(self._texts, key=len, reverse=True):
            text = text.replace(secret, _MARK)
        return text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value
        yield from _texts(_decoded(value))
        try:
            parsed = yaml.safe_load(value)
        except yaml.YAMLError:
            parsed = None
        if isinstance(parsed, (dict, list)):
            yield from _credentials(parsed)
        else:
            yield from (line.strip() for line in value.splitlines())


def _credentials(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _credentials(item, str(key))
    elif isinstance(value, list):
        for item in value:
            yield from _credentials(item, name)
    elif isinstance(value, str) and _CREDENTIAL.search(name):
        yield from _texts(value)


def _decoded(text: str) -> str | None:
    """What base64 stands for, as in a kubeconfig; None where it is none, or no text."""
    try:
        return base64.b64decode(text, validate=True).decode() or None
    except ValueError:
        return None
