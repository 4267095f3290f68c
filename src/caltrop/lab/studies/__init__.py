"""Studies: the effects of settings on a game, measured in games over a design of settings.

A study is a file. `design` defines its contents and its games; `playing` plays one game and defines its result.
`executors` distributes games to processes, here or on other machines. `running` stores results in a folder and
continues an interrupted study. `figures` computes results with intervals that are corrected for the number of looks and
effects; `page` and `tables` write reports. `points` fits the worth of units.

The figures of a study depend only on its file and seed, whatever the number of workers, interruptions and machines.
"""

from caltrop.lab.studies.design import Study, read_study

__all__ = ["Study", "read_study"]
