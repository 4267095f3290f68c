"""People beyond one game: names, notices, open seats, ratings, friends, bots and clubs.

`sheets` stores the data that changes beside the games. `persons` identifies people by the keys of their browsers.
`outward` is the only module that connects to other machines. `notices` decides what people are notified about, and
`carriers` deliver it.
"""
