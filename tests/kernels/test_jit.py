"""How kernels are compiled."""

import numba
import pytest

from consilience._kernels._jit import jit


@pytest.mark.parametrize(("writable", "cached"), [(True, [True]), (False, [True, False])])
def test_machine_code_is_kept_on_disk_where_possible(monkeypatch, writable, cached):
    asked = []

    def njit(**settings):
        asked.append(settings)
        if settings.get("cache", False) and not writable:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: (function, settings)

    monkeypatch.setattr(numba, "njit", njit)
    function, settings = jit(len)
    assert function is len
    assert [settings.get("cache", False) for settings in asked] == cached
    assert settings == asked[-1]
    for settings in asked:
        assert settings["nogil"] is True
        assert settings["no_cfunc_wrapper"] is True
