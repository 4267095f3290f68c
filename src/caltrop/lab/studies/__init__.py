"""Studies: the effects of settings on a game, measured over a design of settings, in games that can be continued.

A study is a file. `design` defines its contents and its games; `playing` plays one of them and defines its result.
`executors` runs processes for them, here or on other machines. `running` stores results in a folder and continues a
stopped study. `figures` computes results with intervals that are corrected for the number of looks and effects; `page`
and `tables` write reports. `points` fits the worth of units.

The figures depend only on the study and its seed: not on the number of workers, interruptions, or machines.
"""

from caltrop.lab.studies.design import Study, read_study

__all__ = ["Study", "read_study"]
