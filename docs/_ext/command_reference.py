"""The help of every verb, as the terminal shows it: ``{verbs}``."""

from typing import Any

import click
from docutils import nodes
from sphinx.util.docutils import SphinxDirective


def help_of(command: click.Command, name: str) -> str:
    """Return what `consilience VERB --help` prints on a terminal of 84 columns."""
    return command.get_help(
        click.Context(command, info_name=name, max_content_width=84, terminal_width=84)
    )


class Verbs(SphinxDirective):
    """A section per verb."""

    def run(self) -> list[nodes.Node]:
        """Return the sections, the command itself first."""
        from consilience.cli._main import command

        found: list[nodes.Node] = [self.literal(help_of(command, "consilience"))]
        for name in command.list_commands(click.Context(command)):
            verb = command.get_command(click.Context(command), name)
            section = nodes.section(ids=[f"verb-{name}"], names=[f"verb-{name}"])
            section += nodes.title(text=name)
            section += self.literal(help_of(verb, f"consilience {name}"))
            found.append(section)
        return found

    def literal(self, text: str) -> nodes.literal_block:
        """Return text as it is."""
        return nodes.literal_block(text, text, language="text")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.add_directive("verbs", Verbs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
