"""scikit-learn's estimator checks, all of them or those that look at one class alone.

What a class inherits is checked once per family; its own signature, parameters and state in every class.
"""

from sklearn.base import clone
from sklearn.utils.estimator_checks import estimator_checks_generator

OWN = {
    "check_dict_unchanged",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_dont_overwrite_parameters",
    "check_estimator_cloneable",
    "check_estimator_repr",
    "check_estimators_overwrite_params",
    "check_estimators_pickle",
    "check_fit_check_is_fitted",
    "check_fit_idempotent",
    "check_get_params_invariance",
    "check_mixin_order",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
}
# It skips itself unless SciPy is told to work on arrays of other packages.
NEVER = {"check_array_api_input"}


def run_checks(estimator, *, all_of_them, excused=()):
    """Run scikit-learn's checks, except the excused ones."""
    found = [(check.func.__name__, check) for _, check in estimator_checks_generator(estimator)]
    known = {name for name, _ in found}
    assert (OWN | NEVER | set(excused)) <= known, "a check has another name now"
    for name, check in found:
        if name not in NEVER and name not in excused and (all_of_them or name in OWN):
            check(clone(estimator))
