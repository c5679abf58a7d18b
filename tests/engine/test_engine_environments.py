"""Two environments on one backend, and one API server in the place of another."""

from pathlib import Path

import yaml

from placement.federation import load
from placement.render import render
from tests.engine.case import Case, Server, changes, manifest, spec, workload


def test_two_environments_do_not_meet(case: Case, fresh_server: Server) -> None:
    """Two environments on one backend change nothing of each other.

    `staging-*` stacks have a file and an API server of their own; destroyed, they leave the others
    with nothing to do.
    """
    production = case.stack()
    production.up()
    project = case.workspace.project
    carrier = yaml.safe_load((project / "Pulumi.tokyo.yaml").read_text("utf-8"))
    staged = carrier["config"] | {"federation:environment": "staging"}
    del staged["federation:kubeconfig"]
    (project / "Pulumi.staging-tokyo.yaml").write_text(yaml.safe_dump({"config": staged}), "utf-8")
    staging_tokyo = case.stack("staging-tokyo")
    case.workspace.set_secret("staging-tokyo", "federation:kubeconfig", fresh_server.kubeconfig)
    staging_tokyo.up()
    (project / "staging.yaml").write_text(case.file.read_text("utf-8").replace("web", "trial"))
    case.configure(
        "staging-federation",
        environment="staging",
        file="staging.yaml",
        stacks={"carrier": "staging-tokyo"},
    )
    fresh_server.make_namespace(case.namespace)
    staging = case.stack("staging-federation")
    staging.up()
    assert set(fresh_server.objects(case.namespace)) == {"trial-deployment"}
    assert set(case.server.objects(case.namespace)) == {"web-deployment"}
    production.preview(expect_no_changes=True)
    staging.destroy()
    assert fresh_server.objects(case.namespace) == {}
    assert set(case.server.objects(case.namespace)) == {"web-deployment"}
    production.preview(expect_no_changes=True)
    case.stack("tokyo").preview(expect_no_changes=True)


def test_what_is_rendered_is_what_up_makes(
    case: Case, fresh_server: Server, tmp_path: Path
) -> None:
    """What is rendered and applied by another hand is what `up` makes.

    With a new API server, filled so, in the place of the one that the stack made its objects in,
    the stack has nothing to do, also after it has looked.
    """
    path = case.file.parent / "cache.yaml"
    path.write_text(yaml.safe_dump(manifest("Deployment", "cache", case.namespace, 4)), "utf-8")
    case.write(workload("web"), workload("cache", manifest=path.name))
    stack = case.stack()
    stack.up()
    decision = case.decision()
    files = render(load(case.file), decision, case.file.parent, tmp_path / "out")
    fresh_server.make_namespace(case.namespace)
    for file in files:
        fresh_server.apply(yaml.safe_load(file.read_text("utf-8")))
    there, here = (s.objects(case.namespace) for s in (fresh_server, case.server))
    assert {n: spec(o) for n, o in there.items()} == {n: spec(o) for n, o in here.items()}

    case.workspace.set_secret("tokyo", "federation:kubeconfig", fresh_server.kubeconfig)
    case.stack("tokyo").up()
    # The kubeconfig is new to the provider, and nothing else is.
    assert changes(stack.up()) == {"same": 11, "update": 1}
    stack.preview(expect_no_changes=True)
    stack.preview(expect_no_changes=True, refresh=True)
