"""Players: the protocol that every player follows, and the computer players.

A player gets a decision and its own side's view, and answers with one of the options. A number of nodes limits a
player's thinking, so games do not depend on the clock. This package knows no server, screen or storage, and reads
nothing that is hidden from a player's side.

`random` plays every game. The players of a game are in a module or package named after it, with underscores. The
constant `PLAYERS` of such a package maps each name to a function that makes a player.
"""

from caltrop.players.advice import Hint, adviser, hint
from caltrop.players.checked import IllegalAnswer, PlayerFailed, checked, traced
from caltrop.players.evaluation import Evaluation, evaluation
from caltrop.players.judgement import SOUND, STYLES, Judgement, Style
from caltrop.players.ladder import LEVELS, OTHER_NAMES
from caltrop.players.levels import Level, Lost, Rating, Score, levels, losses, lost_path, measured_path, rated_path
from caltrop.players.protocol import UNBOUNDED, Budget, Player, forked
from caltrop.players.registry import listed, maker_of, name_of, other_names, playable, player, players, styles_of
from caltrop.players.table import Seated, players_of
from caltrop.players.thinking import Candidate, Thinker, chance_of, worlds
from caltrop.players.uniform import Uniform

__all__ = [
    "LEVELS",
    "OTHER_NAMES",
    "SOUND",
    "STYLES",
    "UNBOUNDED",
    "Budget",
    "Candidate",
    "Evaluation",
    "Hint",
    "IllegalAnswer",
    "Judgement",
    "Level",
    "Lost",
    "Player",
    "PlayerFailed",
    "Rating",
    "Score",
    "Seated",
    "Style",
    "Thinker",
    "Uniform",
    "adviser",
    "chance_of",
    "checked",
    "evaluation",
    "forked",
    "hint",
    "levels",
    "listed",
    "losses",
    "lost_path",
    "maker_of",
    "measured_path",
    "name_of",
    "other_names",
    "playable",
    "player",
    "players",
    "players_of",
    "rated_path",
    "styles_of",
    "traced",
    "worlds",
]
