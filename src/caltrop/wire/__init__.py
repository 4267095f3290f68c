"""What goes over the wire: JSON of views, decisions, events and actions, and the versions of their schemas.

This package turns values into JSON and back, strictly, and does nothing else. What a side may not see was blanked
before a value comes here; no rule, no socket and no file is known here.
"""

__all__: list[str] = []
