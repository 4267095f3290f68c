"""Convert sums, chances and tallies for pictures and answers."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

from caltrop.chance import Distribution
from caltrop.engine import Sum, total
from caltrop.picture import Reason, Stat, Tally


def reasons(parts: Sum) -> tuple[Reason, ...]:
    """Return the terms of a sum as the records that pictures contain.

    >>> from caltrop.engine import Term
    >>> reasons((Term(8, "DU-MOVE-01", "A walk"),))
    (Reason(value=8, clause='DU-MOVE-01', words='A walk'),)
    """
    return tuple([Reason(term.value, term.clause, term.words) for term in parts])


def stat(label: str, parts: Sum) -> Stat:
    """Return a number of a unit or a side with its terms.

    >>> from caltrop.engine import Term
    >>> stat("Dice", (Term(4, "DU-STRIKE-02", "A strike"), Term(-1, "DU-STRIKE-03", "Sharp blades"))).value
    '3'
    """
    return Stat(label=label, value=str(total(parts)), because=reasons(parts))


def made_of(parts: Sum) -> str:
    """Return the terms of a number in one line, for an error.

    >>> from caltrop.engine import Term
    >>> made_of((Term(4, "DU-STRIKE-02", "A strike"), Term(-1, "DU-STRIKE-03", "Sharp blades")))
    'A strike (DU-STRIKE-02): +4; Sharp blades (DU-STRIKE-03): -1'
    """
    return "; ".join(f"{term.words} ({term.clause}): {term.value:+}" for term in parts)


def fraction(chance: Fraction) -> str:
    """Return a chance as a text with a fraction in lowest terms.

    >>> fraction(Fraction(2, 6)), fraction(Fraction(1))
    ('1/3', '1/1')
    """
    return f"{chance.numerator}/{chance.denominator}"


@lru_cache(maxsize=4096)
def binomial(dice: int, chance: Fraction) -> Distribution[int]:
    """Return the distribution of successes among dice that all succeed with the same chance.

    >>> binomial(2, Fraction(1, 3)).weights()
    ((0, 4), (1, 4), (2, 1))
    """
    hit, miss = chance.numerator, chance.denominator - chance.numerator
    return Distribution([(n, comb(dice, n) * hit**n * miss ** (dice - n)) for n in range(dice + 1)])


def tally(side: int, label: str, got: int, counted: Distribution[int] | Fraction) -> Tally:
    """Return the actual and the expected result of a side; the difference is its luck.

    Args:
        label: Noun for the counted results, such as `hits`.
        counted: Distribution of the number of results, or the chance of a single result.

    >>> tally(0, "hits", 2, binomial(3, Fraction(1, 2)))
    Tally(side=0, label='hits', got=2, expected='3/2', mean=1.5, chances=(0.125, 0.375, 0.375, 0.125))
    """
    if isinstance(counted, Fraction):
        counted = binomial(1, counted)
    mean = counted.expected(lambda count: count)
    chances = tuple([round(float(counted[count]), 9) for count in range(max(counted) + 1)])
    return Tally(side=side, label=label, got=int(got), expected=fraction(mean), mean=float(mean), chances=chances)
