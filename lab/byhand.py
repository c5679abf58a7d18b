"""``make lab``: a lab that stays up, with a Pulumi project on it to go on by hand.

Owns the hand-over: the environment in which plain ``pulumi preview``, ``up``, ``refresh`` and
``destroy`` work on the stacks ``tokyo`` and ``federation`` as a user runs them.
"""

import shlex
from pathlib import Path

import click

from lab import ROOT, Lab, tools
from lab.engine import CHECKOUT, Workspace
from lab.engine.language_host import install
from lab.kubernetes.pki import write_private
from placement import console as terminal
from placement.faults import ExitCode

NAME = "hand"


@click.command()
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=CHECKOUT / "examples" / "global.yaml",
    help="The federation file.  [default: examples/global.yaml]",
)
def byhand(file: Path) -> int:
    """Bring a lab up, put a Pulumi project on it, and say how to go on by hand."""
    lab = Lab(ROOT, NAME)
    lab.up(file, report=click.echo)
    folder = ROOT / NAME / "pulumi"
    workspace = Workspace(folder)
    for stack in ("tokyo", "federation"):
        workspace.stack(stack)
    workspace.set_secret("tokyo", "federation:kubeconfig", lab.kubeconfig().read_text())
    host = install()
    variables = {**workspace.environment, "KUBECONFIG": str(lab.kubeconfig())}
    lines = [f"export {name}={shlex.quote(value)}" for name, value in sorted(variables.items())]
    lines.append(f'export PATH={shlex.quote(str(tools.ROOT / "bin"))}:"$PATH"')
    write_private(folder / "env.sh", ("\n".join(lines) + "\n").encode())
    click.echo(f"""
Language host: {host or "the official one, from the PATH"}
Go on by hand:

  source {folder / "env.sh"}
  cd {workspace.project}
  pulumi preview --stack tokyo
  pulumi up --stack tokyo
  pulumi preview --stack federation
  pulumi up --stack federation
  kubectl get propagationpolicies --all-namespaces
  pulumi destroy --stack federation
  pulumi destroy --stack tokyo

and at the end: python -m lab down --name {NAME}""")
    return ExitCode.DONE


if __name__ == "__main__":
    terminal.run(byhand, "lab.byhand")
