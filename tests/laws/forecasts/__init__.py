"""Forecasts of acts are compared with results of playing the acts, in one module for each ruleset.

A module has:

- `begun(t, decision, action)`: the state in which an act is carried out, with nothing else on its stack; None for an
  act that the module does not play;
- `answered(t, decision, action)`: the answers to questions during the act that the forecast assumes;
- `ended(before, after, told, forecast)`: the result, by the keys of the forecast's outcomes;
- `followed(t, action)`: the procedures that follow from an act later in the turn, if whole acts use closed formulas for
  them;
- `attacked(event)`: attacker and target of an attack, to find answers that are foretold;
- `drawn` and `chosen`, as in `tests.laws.moments`, if the ruleset has no positions there.
"""
