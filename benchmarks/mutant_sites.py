"""Every place of a file where one operator, comparison, constant or boolean can be changed."""

import ast

SWAPS = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"), ast.BitOr: ("|", "&"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip


class Sites(ast.NodeVisitor):
    """Every place of a file that can be changed: (first byte, last byte, old text, new text, lines)."""

    def __init__(self, source):
        self.source = source
        self.found = []
        self._inside = False
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self.visit(ast.parse(source))

    def _first(self, node):
        return self._starts[node.lineno - 1] + node.col_offset

    def _last(self, node):
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def _add(self, first, last, old, new, node):
        text = self.source[first:last].decode()
        if old in text:
            start = first + len(text[: text.index(old)].encode())
            lines = (node.lineno, node.end_lineno)
            self.found.append((start, start + len(old.encode()), old, new, lines))

    def _between(self, left, right, operator, node):
        if type(operator) in SWAPS and self._inside:
            self._add(self._last(left), self._first(right), *SWAPS[type(operator)], node)

    def visit_FunctionDef(self, node):
        outer, self._inside = self._inside, True
        body = node.body[1:] if ast.get_docstring(node) else node.body
        for part in body:
            self.visit(part)
        self._inside = outer

    def visit_Raise(self, node):
        pass

    def visit_JoinedStr(self, node):
        pass

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)

    def visit_Call(self, node):
        named = (
            node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        )
        if named not in {"warn", "cast", "TypeVar"}:
            self.generic_visit(node)

    def visit_keyword(self, node):
        if node.arg != "strict":
            self.generic_visit(node)

    def visit_BinOp(self, node):
        self._between(node.left, node.right, node.op, node)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        self._between(node.target, node.value, node.op, node)
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, node.op, node)
        self.generic_visit(node)

    def visit_Compare(self, node):
        operands = [node.left, *node.comparators]
        for left, right, operator in zip(operands, operands[1:], node.ops, strict=False):
            self._between(left, right, operator, node)
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if self._inside and isinstance(node.op, ast.Not):
            self._add(self._first(node), self._first(node.operand), "not ", "", node)
        self.generic_visit(node)

    def visit_Constant(self, node):
        value = node.value
        if not self._inside or not isinstance(value, bool | int | float):
            return
        text = self.source[self._first(node) : self._last(node)].decode()
        new = (
            str(not value)
            if isinstance(value, bool)
            else repr(value + 1 if value < 2 else value * 2)
        )
        self._add(self._first(node), self._last(node), text, new, node)
