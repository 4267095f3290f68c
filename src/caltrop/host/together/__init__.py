"""People beyond one game: their names, what they are told elsewhere, open seats, ratings, friends, bots and clubs.

`sheets` keeps what changes beside the games. `persons` knows people by the keys of their browsers. `outward` is the
only place that connects to other machines; `notices` decides what people are told, `carriers` brings it to them.
"""
