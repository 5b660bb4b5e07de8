"""Vectors ("strips") of 32 bytes, which LLVM does not generate automatically here.

A strip is a row of a table whose rows are 32 bytes long: four float64 or sixteen int16. Inside a
kernel it is one LLVM vector, which works on every target. Numba has no such type, and its automatic
vectorisation leaves sums in scalars, which is three to thirteen times slower.

Every function below is ordinary Python on a row of NumPy, which runs if the compiler is disabled; the
lowerings further down implement the same for the compiler, through Numba's extension interface.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, models, register_model, type_callable

from consilience._utils._types import Array

STRIP_BYTES = 32
# Size of a cache line: access to a strip across two lines is at least twice as slow.
_LINE_BYTES = 64


def lanes_of(dtype: Any) -> int:
    """Return how many numbers fit in a strip."""
    return STRIP_BYTES // int(np.dtype(dtype).itemsize)


def strip_zeros(n_tables: int, n_rows: int, dtype: Any) -> Array:
    """Return tables of strips, (tables, rows, lanes), aligned to cache lines."""
    size = n_tables * n_rows * STRIP_BYTES
    memory = np.zeros(size + _LINE_BYTES, dtype=np.uint8)
    begin = -memory.ctypes.data % _LINE_BYTES
    strips: Array = memory[begin : begin + size].view(dtype)
    return strips.reshape(n_tables, n_rows, lanes_of(dtype))


def load(table: Array, row: Any) -> Array:
    """Return a row of a table of strips."""
    strip: Array = table[row].copy()
    return strip


def store(table: Array, row: Any, strip: Array) -> None:
    """Write a row of a table of strips."""
    table[row] = strip


def add(strip: Array, other: Array) -> Array:
    """Add two strips."""
    total: Array = strip + other
    return total


def largest(strip: Array) -> int:
    """Return the largest number of a strip of int16."""
    return int(strip.max())


def at_least(strip: Array, threshold: int) -> int:
    """Return bits that say which numbers of a strip of int16 reach the threshold; lane 0 is bit 0."""
    return sum(1 << lane for lane, number in enumerate(strip) if number >= threshold)


def first_bit(bits: int) -> int:
    """Return the place of the lowest bit that is set; there must be one."""
    return (int(bits) & -int(bits)).bit_length() - 1


class _Strip(types.Type):
    """A strip as a type of Numba."""

    def __init__(self, number: Any) -> None:
        self.number = number
        self.lanes = STRIP_BYTES * 8 // number.bitwidth
        super().__init__(name=f"Strip({number})")


@register_model(_Strip)
class _StripModel(models.PrimitiveModel):
    def __init__(self, manager: Any, strip: _Strip) -> None:
        number = manager.lookup(strip.number).get_value_type()
        super().__init__(manager, strip, ir.VectorType(number, strip.lanes))  # type: ignore[no-untyped-call]


def _is_table(table: Any) -> bool:
    return isinstance(table, types.Array) and table.ndim == 2 and table.layout == "C"


def _pointer(context: Any, builder: Any, signature: Any, args: Any, strip: _Strip) -> Any:
    table = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0])  # type: ignore[no-untyped-call]
    vector = context.get_value_type(strip)
    row = context.cast(builder, args[1], signature.args[1], types.uintp)
    return builder.gep(builder.bitcast(table.data, vector.as_pointer()), [row])


@type_callable(load)
def _type_load(context: Any) -> Callable[..., Any]:  # noqa: ARG001
    def typer(table: Any, row: Any) -> Any:
        return _Strip(table.dtype) if _is_table(table) and isinstance(row, types.Integer) else None

    return typer


@lower_builtin(load, types.Array, types.Integer)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_load(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    strip = signature.return_type
    # Tables are aligned for speed only; the compiler assumes the alignment of a single number.
    return builder.load(
        _pointer(context, builder, signature, args, strip), align=strip.number.bitwidth // 8
    )


@type_callable(store)
def _type_store(context: Any) -> Callable[..., Any]:  # noqa: ARG001
    def typer(table: Any, row: Any, strip: Any) -> Any:
        fits = _is_table(table) and isinstance(row, types.Integer) and isinstance(strip, _Strip)
        return types.none if fits and table.dtype == strip.number and table.mutable else None

    return typer


@lower_builtin(store, types.Array, types.Integer, _Strip)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_store(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    strip = signature.args[2]
    pointer = _pointer(context, builder, signature, args, strip)
    builder.store(args[2], pointer, align=strip.number.bitwidth // 8)
    return context.get_dummy_value()


@type_callable(add)
def _type_add(context: Any) -> Callable[..., Any]:  # noqa: ARG001
    def typer(strip: Any, other: Any) -> Any:
        return strip if isinstance(strip, _Strip) and strip == other else None

    return typer


@lower_builtin(add, _Strip, _Strip)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_add(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
    is_float = isinstance(signature.return_type.number, types.Float)
    return builder.fadd(*args) if is_float else builder.add(*args)


def _is_small(strip: Any) -> bool:
    return isinstance(strip, _Strip) and strip.number == types.int16


@type_callable(largest)
def _type_largest(context: Any) -> Callable[..., Any]:  # noqa: ARG001
    def typer(strip: Any) -> Any:
        return types.int16 if _is_small(strip) else None

    return typer


@lower_builtin(largest, _Strip)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_largest(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
    vector = args[0].type
    name = f"llvm.vector.reduce.smax.v{vector.count}i16"
    kind = ir.FunctionType(vector.element, [vector])
    function = cgutils.get_or_insert_function(builder.module, kind, name)  # type: ignore[no-untyped-call]
    return builder.call(function, args)


@type_callable(at_least)
def _type_at_least(context: Any) -> Callable[..., Any]:  # noqa: ARG001
    def typer(strip: Any, threshold: Any) -> Any:
        return types.uint16 if _is_small(strip) and isinstance(threshold, types.Integer) else None

    return typer


@lower_builtin(at_least, _Strip, types.Integer)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_at_least(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    vector = args[0].type
    threshold = context.cast(builder, args[1], signature.args[1], types.int16)
    reached = builder.icmp_signed(">=", args[0], _everywhere(builder, vector, threshold))
    return builder.bitcast(reached, ir.IntType(vector.count))


def _everywhere(builder: Any, vector: Any, number: Any) -> Any:
    """Return a vector with the same number in every lane."""
    nothing = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    nowhere = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(one, nothing, nowhere)


@type_callable(first_bit)
def _type_first_bit(context: Any) -> Callable[..., Any]:  # noqa: ARG001
    def typer(bits: Any) -> Any:
        return bits if bits == types.uint16 else None

    return typer


@lower_builtin(first_bit, types.Integer)  # type: ignore[no-untyped-call, untyped-decorator]
def _lower_first_bit(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
    return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))
