"""What an override policy changes in an object: the overriders.

Owns the models. Karmada applies them in this order: image, command, args, labels, annotations,
field, plaintext; and all of them after the scheduler has written the number of replicas.

Source: ``Overriders`` in ``pkg/apis/policy/v1alpha1/override_types.go`` (Karmada 1.18).
"""

from typing import Literal

from pydantic import Field

from placement.karmada.meta import Json, WireModel

Operator = Literal["add", "remove", "replace"]


class PlaintextOverrider(WireModel):
    """A JSON patch of one operation.

    Attributes:
        path: a JSON pointer into the object; the webhook does not look at it.
        value: none with ``remove``.
    """

    path: str
    operator: Operator
    value: Json = None


class ImagePredicate(WireModel):
    """Which image is meant.

    Attributes:
        path: a JSON pointer, such as ``/spec/template/spec/containers/0/image``.
    """

    path: str


class ImageOverrider(WireModel):
    """A part of an image's name.

    Attributes:
        predicate: absent stands for the image of every container, for the kinds with a pod.
        value: none with ``remove``.
    """

    predicate: ImagePredicate | None = None
    component: Literal["Registry", "Repository", "Tag"]
    operator: Operator
    value: str | None = None


class CommandArgsOverrider(WireModel):
    """Words of a container's command or arguments."""

    container_name: str
    operator: Literal["add", "remove"]
    value: tuple[str, ...] = ()


class LabelAnnotationOverrider(WireModel):
    """Labels or annotations."""

    operator: Operator
    value: dict[str, str]


class PatchOperation(WireModel):
    """One operation on a document that stands as text in a field of the object.

    Attributes:
        sub_path: a JSON pointer into that document.
        value: none with ``remove``.
    """

    sub_path: str
    operator: Operator
    value: Json = None


class FieldOverrider(WireModel):
    """Operations on a document that stands as text in a field, such as a file of a ConfigMap.

    Attributes:
        field_path: a JSON pointer to the field, such as ``/data/settings.yaml``.
        json_operations: on a document in JSON; either these or those on YAML.
        yaml_operations: on a document in YAML.
    """

    field_path: str
    json_operations: tuple[PatchOperation, ...] = Field(default=(), alias="json")
    yaml_operations: tuple[PatchOperation, ...] = Field(default=(), alias="yaml")


class Overriders(WireModel):
    """All changes of one rule."""

    plaintext: tuple[PlaintextOverrider, ...] = ()
    image_overrider: tuple[ImageOverrider, ...] = ()
    command_overrider: tuple[CommandArgsOverrider, ...] = ()
    args_overrider: tuple[CommandArgsOverrider, ...] = ()
    labels_overrider: tuple[LabelAnnotationOverrider, ...] = ()
    annotations_overrider: tuple[LabelAnnotationOverrider, ...] = ()
    field_overrider: tuple[FieldOverrider, ...] = ()
