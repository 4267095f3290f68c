"""List the games: editions, scenarios, armies, players and house rules."""

from __future__ import annotations

from typing import Any


def games(*, json: bool = False) -> None:
    """List the games with their options.

    Args:
        json: Print one JSON object instead of text.
    """
    from caltrop.cli import print_json
    from caltrop.engine import rulesets
    from caltrop.players import STYLES, levels

    games = [_game(name) for name in rulesets()]
    if json:
        print_json({"rulesets": games})
        return
    for game in games:
        print(f"{game['name']}: {game['title']}")
        print(f"  editions   {', '.join(game['editions'])}")
        for level in levels(game["name"]):
            descriptions = [level.words, level.told]
            print(f"  player     {level.name}" + f": {'; '.join(filter(None, descriptions))}" * any(descriptions))
        for style in STYLES.values():
            some = [level.name for level in levels(game["name"]) if style.name in level.styles]
            if some:
                print(f"  style      {some[-1]}+{style.name}, as of any of {', '.join(some)}: {style.words}")
        for title, word in (("scenarios", "scenario"), ("armies", "army")):
            for card in game[title]:
                print(f"  {word:9}  {card['id']}: {card['title']}")
        for rule in game["rules"]:
            words = f"{_in_words(rule['values'])}; {', '.join(rule['clauses'])}"
            print(f"  rule       {rule['name']} = {rule['default']} ({words})")


def _in_words(values: Any) -> str:
    """Return the values of a house rule, with consecutive whole numbers as ranges."""
    if isinstance(values, dict):
        return f"{values['min']} to {values['max']}"
    words = [str(value) for value in values if isinstance(value, str)]
    numbers = [value for value in values if not isinstance(value, str)]
    if len(numbers) > 2 and numbers == [*range(numbers[0], numbers[-1] + 1)]:
        return ", ".join([*words, f"{numbers[0]} to {numbers[-1]}"])
    return ", ".join(map(str, values))


def _game(name: str) -> dict[str, Any]:
    import msgspec

    from caltrop.engine import ruleset
    from caltrop.players import STYLES, levels, listed

    rules, strengths = ruleset(name), levels(name)
    return {
        "name": name,
        "title": rules.title,
        "editions": list(rules.editions),
        "scenarios": [msgspec.to_builtins(card) for card in rules.scenarios()],
        "armies": [msgspec.to_builtins(card) for card in rules.armies()],
        "players": list(listed(name)),
        "styles": [{"name": style.name, "words": style.words} for style in STYLES.values()],
        "levels": [msgspec.to_builtins(level) for level in strengths],
        "rules": [
            {
                "name": switch.name,
                "default": switch.default,
                "values": _values(switch),
                "clauses": list(switch.clauses),
                "words": switch.words,
            }
            for switch in rules.switches
        ],
    }


def _values(switch: Any) -> Any:
    """Return the values of a house rule: a range if they are all integers, otherwise a list."""
    if switch.min is None or switch.max is None:
        return list(switch.values)
    words = [value for value in switch.values if isinstance(value, str)]
    if not words:
        return {"min": switch.min, "max": switch.max}
    return [*words, *range(switch.min, switch.max + 1)]
