"""``make schema``: the JSON schemas of the files that users write, for their editors.

Owns where the schemas go and the form of a stack file: the settings model, and the secrets that are
no part of it, under the keys of Pulumi's configuration.
"""

import json
from pathlib import Path
from typing import Any

from components.settings.stack import StackSettings
from placement.federation import Federation

FOLDER = Path(__file__).parent.parent.parent / "schemas"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SECRETS = {
    "kubeconfig": "The kubeconfig of the carrier's cluster; always a secret.",
    "kubeconfigs": "Those of the clusters of a compute plane, by name; always a secret.",
    "backup": "The keys of the object store for backups, {accessKey, secretKey}; always a secret.",
    "metricsToken": "What the receiver of a compute plane's metrics asks for; always a secret.",
}


def schemas() -> dict[str, dict[str, Any]]:
    """The schemas by file name."""
    federation = Federation.model_json_schema(by_alias=True)
    settings = StackSettings.model_json_schema(by_alias=True)
    keys = {f"federation:{key}": value for key, value in settings["properties"].items()}
    for key, description in _SECRETS.items():
        keys[f"federation:{key}"] = {
            "description": description,
            "type": "object",
            "properties": {"secure": {"type": "string"}},
            "required": ["secure"],
        }
    stack = {
        "title": "Pulumi.<stack>.yaml",
        "type": "object",
        "properties": {"config": {"type": "object", "properties": keys}},
        "$defs": settings["$defs"],
    }
    return {
        "federation.json": {"$schema": _DIALECT, "title": "Federation file", **federation},
        "stack.json": {"$schema": _DIALECT, **stack},
    }


def main() -> None:
    """Write the schemas."""
    FOLDER.mkdir(exist_ok=True)
    for name, schema in schemas().items():
        path = FOLDER / name
        path.write_text(json.dumps(schema, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        print(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


if __name__ == "__main__":
    main()
