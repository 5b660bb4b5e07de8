"""Markdown: printed, and written to a file."""


def table(head, lines):
    """Return a Markdown table; cells are text or numbers."""
    rows = [head, ["---"] * len(head), *lines]
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)


class Page:
    """Paragraphs and tables under a title."""

    def __init__(self, title):
        self.blocks = [f"## {title}"]

    def say(self, *sentences):
        """Add a paragraph of one sentence each."""
        self.blocks.extend(sentences)

    def add(self, block):
        """Add a table."""
        self.blocks.append(block)

    def write(self, path):
        """Print, and write to the file."""
        text = "\n\n".join(self.blocks) + "\n"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        print(f"\n{text}\nwritten: {path}", flush=True)
