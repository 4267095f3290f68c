"""Studies: what a setting changes about a game, measured over a design of settings, in games that can be gone on with.

A study is a file. `design` says what it holds and which games it comes to; `playing` plays one of them and says what is
kept of it; `executors` has processes play them, here or on other machines; `running` keeps what was played in a folder
and goes on where it was stopped; `figures` says what the games have shown, with intervals that are corrected for how
often and at how many effects one looks; `page` and `tables` write that down. `points` fits what units are worth.

The figures hang on the study and its seed alone: not on how many workers play, how often it was stopped, or where.
"""

from caltrop.lab.studies.design import Study, read_study

__all__ = ["Study", "read_study"]
