"""The command: its verbs, and the one place where errors become sentences and exit codes."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from consilience._utils._option import options_spelled
from consilience.cli import _versions
from consilience.cli._choose_k import choose_k
from consilience.cli._cluster import cluster
from consilience.cli._combine import combine
from consilience.cli._compare import compare
from consilience.cli._demo import demo
from consilience.cli._flags import flag, with_flag
from consilience.cli._generate import generate
from consilience.cli._inspect import inspect
from consilience.cli._methods import methods
from consilience.cli._options import as_help
from consilience.cli._output import never_fail_on_characters, print_answer, renamed, visible
from consilience.cli._report import report
from consilience.exceptions import ConsilienceError

_NAME = "consilience"
_COMPLETE = "_CONSILIENCE_COMPLETE"
OK, USER_ERROR, PIPE_CLOSED, INTERRUPTED = 0, 2, 1, 130


class _InOrder(click.Group):
    """A group that lists its verbs in the order of a typical analysis, not by name."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        settings["help"] = as_help(settings["help"])
        super().__init__(*arguments, **settings)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)


@click.group(
    cls=_InOrder,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    callback=_versions.show,
    expose_value=False,
    help="Print the versions that a bug report needs, and stop.",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Combine many clusterings of the same objects into one, and report its confidence.

    Examples
    --------
      consilience demo
      consilience cluster data.csv --out labels.csv --report report.html
      consilience combine a.csv b.csv c.csv --id customer_id -k 5 --out consensus.csv
      consilience VERB --help
      _CONSILIENCE_COMPLETE=bash_source consilience >> ~/.bashrc

    Exit codes: 0 done; 2 something is wrong with the input, and one sentence says what; 130 stopped by
    Ctrl-C. Nothing is ever left half-written, and no file is replaced without --force.
    """
    if ctx.invoked_subcommand is None:
        width = max(map(len, command.commands))
        verbs = [f"  {name:<{width}}  {verb.short_help}" for name, verb in command.commands.items()]
        end = "consilience VERB --help explains a verb; consilience demo runs an example."
        print_answer("\n".join(["consilience VERB ...", "", *verbs, "", end]))


for _verb in (demo, cluster, combine, choose_k, generate, inspect, compare, report, methods):
    command.add_command(_verb)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit with its exit code."""
    sys.exit(_run(None if arguments is None else list(arguments)))


def _run(arguments: list[str] | None) -> int:
    never_fail_on_characters()
    try:
        with options_spelled(flag):
            code: Any = command.main(
                args=arguments, prog_name=_NAME, complete_var=_COMPLETE, standalone_mode=False
            )
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output has closed the pipe; Python would raise again when closing it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except (click.Abort, KeyboardInterrupt):
        return _fail("Stopped; nothing was left half-written.", INTERRUPTED)
    except (click.ClickException, ConsilienceError, OSError) as error:
        return _fail(_sentence(error), USER_ERROR)
    return code if isinstance(code, int) else OK


def _sentence(error: Exception) -> str:
    if isinstance(error, click.UsageError):
        verb = _NAME if error.ctx is None else error.ctx.command_path
        return f"{error.format_message().rstrip('.')}. See {verb} --help."
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, ConsilienceError):
        return with_flag(str(error), error.parameter)
    if isinstance(error, OSError):
        place = "" if error.filename is None else f"{error.filename}: "
        return f"{place}{error.strerror or error}."
    return str(error)


def _fail(sentence: str, code: int) -> int:
    text = visible(" ".join(renamed(sentence).split()))
    click.echo(f"{_NAME}: {text if text.endswith(('.', '!', '?')) else text + '.'}", err=True)
    return code
