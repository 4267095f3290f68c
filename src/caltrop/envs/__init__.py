"""Environments for research: the games behind the interfaces of PettingZoo and Gymnasium.

An environment translates: views to observations, options to masks, numbers to actions. It holds no rule of its own. Its
libraries are an extra, and importing this package without them is not an error; making an environment is.
"""

__all__: list[str] = []
