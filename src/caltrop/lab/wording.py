"""The explanation of a battle in words, which the terminal and the page show as they are."""

from __future__ import annotations

from caltrop.agreeing import quantity
from caltrop.chance import Z95
from caltrop.lab.explanation import Trial

EVEN = 0.05
"""Largest sum of the effects of a side's dice for which they are called even."""


def percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def change(before: float, after: float) -> str:
    """Return the change of a chance in words.

    >>> change(0.5, 0.7), change(0.998, 1.0)
    ('50 % to 70 %', 'stays at 100 %')
    """
    old, new = percent(before), percent(after)
    return f"stays at {new}" if old == new else f"{old} to {new}"


def dice_of(luck: float, error: float = 0.0) -> str:
    """Return in words how much the dice helped a side.

    Args:
        luck: Sum of the effects of its dice.
        error: Standard error of this sum.

    >>> dice_of(0.2), dice_of(-1.06), dice_of(0.01), dice_of(0.2, 0.15)
    ('the dice helped it', 'the dice hurt it', 'the dice were even', 'the dice were even')
    """
    if abs(luck) < max(EVEN, Z95 * error):
        return "the dice were even"
    return "the dice helped it" if luck > 0 else "the dice hurt it"


def games_words(trial: Trial) -> str:
    """Return the games that were played on from a better answer and from the given one.

    >>> games_words(Trial(48, 0.625, 0.5))
    'won 62 % of 48 games played on from here, the given answer 50 %'
    """
    won, given = percent(trial.better), percent(trial.given)
    return f"won {won} of {quantity(trial.games, 'game')} played on from here, the given answer {given}"


def likely_words(good: bool, likely: float) -> str:
    """Return in words how often dice are as good as those of an act, or as bad.

    >>> likely_words(True, 0.25), likely_words(False, 0.001)
    ('dice as good as these come up in 25 %', 'dice as bad as these come up in less than 1 %')
    """
    share = "less than 1 %" if likely < 0.005 else percent(likely)
    return f"dice as good as these come up in {share}" if good else f"dice as bad as these come up in {share}"


def roll_words(average: float, after: float, likely: float) -> str:
    """Return in words how good the dice of an act were.

    Args:
        average: Chance of the acting side, averaged over the dice.
        after: Its chance with the dice that fell.
        likely: Chance of dice as good as these, or as bad.

    >>> roll_words(0.5, 0.6, 0.25)
    '60 % with these dice, 50 % on average; dice as good as these come up in 25 %'
    """
    often = likely_words(after >= average, likely)
    return f"{percent(after)} with these dice, {percent(average)} on average; {often}"


def verdict(judged: int, better: int) -> str:
    """Return the number of judged decisions of a side, and of those with a better answer.

    >>> verdict(39, 1), verdict(1, 0)
    ('39 decisions looked at, 1 could have been better', '1 decision looked at, none could have been better')
    """
    looked = f"{quantity(judged, 'decision')} looked at"
    return f"{looked}, {better} could have been better" if better else f"{looked}, none could have been better"
