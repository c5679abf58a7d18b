"""The JSON schemas that editors read."""

import json

import pytest

from components.settings.schema import FOLDER, schemas


@pytest.mark.parametrize("name", ["federation.json", "stack.json"])
def test_the_exported_schema_is_that_of_the_models(name: str) -> None:
    """What editors complete is what the program accepts: `make schema` was run after a change."""
    exported = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert exported == json.loads(json.dumps(schemas()[name])), "run make schema"


def test_the_schema_of_a_stack_names_the_keys_as_pulumi_does() -> None:
    """A stack file's keys stand under `config`, with the project's name before them."""
    keys = schemas()["stack.json"]["properties"]["config"]["properties"]
    assert {"federation:plane", "federation:stacks", "federation:carrier"} <= set(keys)
    assert {"federation:kubeconfig", "federation:kubeconfigs"} <= set(keys)
