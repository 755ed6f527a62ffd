"""The steps of one attention head as formulas: for one token, and for all. It draws nothing."""

from __future__ import annotations

from scenes.analysis.scaling import Scaling

QUERIES, KEYS, VALUES, SCORES, WEIGHTS, MIXTURE, CHANGE, SUM = range(8)
MAKING = QUERIES, KEYS, VALUES
STEPS = (  # Typst; t is a token, a bar stands for layer norm
    ("$query(q_t) = macron(x)_t W_Q$", "$query(Q) = macron(X) W_Q$"),
    ("$key(k_t) = macron(x)_t W_K$", "$key(K) = macron(X) W_K$"),
    ("$value(v_t) = macron(x)_t W_V$", "$value(V) = macron(X) W_V$"),
    ("$s_t = query(q_t) key(K)^T{over}$", "$S = query(Q) key(K)^T{over}$"),
    ('$a_t = op("softmax")(s_t)$', '$A = op("softmax")(S)$'),
    ("$value(z_t) = a_t value(V)$", "$value(Z) = A value(V)$"),
    ("$output(o_t) = value(z_t) W_O$", "$output(O) = value(Z) W_O$"),
    ("$x'_t = x_t + output(o_t)$", "$X' = X + output(O)$"),
)
TURNED = (  # the first of them, where places turn queries and keys
    ("$query(q_t) = macron(x)_t W_Q R_t$", "$query(Q) = R(macron(X) W_Q)$"),
    ("$key(k_t) = macron(x)_t W_K R_t$", "$key(K) = R(macron(X) W_K)$"),
)


def steps(scaling: Scaling, *, turned: bool) -> list[tuple[str, str]]:
    """Return the formulas of a head's steps, for a token and for all, in their order.

    `scaling` says what dot products are divided by, `turned` whether places turn them.
    """
    over = f" slash {scaling.markup}" if scaling.divides else ""
    first = TURNED if turned else ()
    return [
        (one.replace("{over}", over), every.replace("{over}", over))
        for one, every in (*first, *STEPS[len(first) :])
    ]
