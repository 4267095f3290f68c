"""Signing in by passkey, an optional way to add a browser to a person."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from importlib.util import find_spec
from time import monotonic
from typing import Any, ClassVar, NamedTuple

from caltrop.host.faults import refused
from caltrop.host.together.persons import Person, Persons
from caltrop.host.together.sheets import Sheets, StoredSheet

EACH = 8
"""Largest number of passkeys of a person."""

SECONDS = 300
"""Seconds within which a passkey must be presented."""

OPEN = 1000
"""Largest number of passkey requests at the same time."""


class Passkey(StoredSheet, kw_only=True):
    """The public half of a passkey, by the id of its credential."""

    kind: ClassVar[str] = "passkey"
    public: str = ""
    count: int = 0


class PasskeyPlace(NamedTuple):
    """The place where a browser asks for a passkey."""

    name: str
    """The name of the server, without its port."""
    origin: str


class _Asked(NamedTuple):
    challenge: bytes
    until: float


class Passkeys:
    """The passkeys of a server.

    Args:
        clock: A clock in seconds that never goes back.
    """

    def __init__(self, sheets: Sheets, persons: Persons, clock: Callable[[], float] = monotonic) -> None:
        self.sheets, self.persons, self.clock = sheets, persons, clock
        self._asked: dict[str, _Asked] = {}

    @property
    def can(self) -> bool:
        return find_spec("webauthn") is not None

    def _check(self) -> None:
        if not self.can:
            raise refused("not-found", "This server knows no passkeys; its host can install caltrop[together]")

    def _ask(self, challenge: bytes) -> None:
        now = self.clock()
        self._asked = {key: one for key, one in self._asked.items() if one.until > now}
        if len(self._asked) >= OPEN:
            raise refused("busy", "Too many people are signing in; ask again in a moment")
        self._asked[_text(challenge)] = _Asked(challenge, now + SECONDS)

    def _answered(self, credential: Any) -> bytes:
        """Return and remove the challenge that a credential answers. Raises Refused if there is no such request, or the
        request has expired.
        """
        try:
            data = json.loads(_bytes(credential["response"]["clientDataJSON"]))
            asked = self._asked.pop(str(data["challenge"]), None)
        except (KeyError, TypeError, ValueError):
            asked = None
        if asked is None or asked.until <= self.clock():
            raise refused("wrong-token", "The server did not ask for this passkey; try again")
        return asked.challenge

    def begin(self, person: Person, place: PasskeyPlace) -> Any:
        self._check()
        from webauthn import generate_registration_options, options_to_json
        from webauthn.helpers.structs import AuthenticatorSelectionCriteria, ResidentKeyRequirement

        options = generate_registration_options(
            rp_id=place.name,
            rp_name="Caltrop",
            user_id=person.id.encode(),
            user_name=person.name or "Somebody",
            authenticator_selection=AuthenticatorSelectionCriteria(resident_key=ResidentKeyRequirement.REQUIRED),
        )
        self._ask(options.challenge)
        return json.loads(options_to_json(options))

    async def add(self, person: Person, place: PasskeyPlace, credential: Any) -> None:
        """Store a passkey that a browser has made. Raises Refused if the passkey is invalid, or the person has too many
        passkeys.
        """
        self._check()
        from webauthn import verify_registration_response

        challenge = self._answered(credential)
        if len(await self.sheets.all(Passkey, person.id)) >= EACH:
            raise refused("too-many", f"A person can have at most {EACH} passkeys")
        try:
            made = verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=place.name,
                expected_origin=place.origin,
            )
        except Exception:  # noqa: BLE001  whatever it says, it is not a passkey
            raise refused("wrong-token", "This passkey is not for this server") from None
        id = _text(made.credential_id)
        if len(id) > 90 or await self.sheets.get(Passkey, id) is not None:
            raise refused("wrong-value", "This passkey cannot be stored")
        public = _text(made.credential_public_key)
        await self.sheets.put(Passkey(id=id, whose=person.id, public=public, count=made.sign_count))

    def look(self, place: PasskeyPlace) -> Any:
        self._check()
        from webauthn import generate_authentication_options, options_to_json

        options = generate_authentication_options(rp_id=place.name)
        self._ask(options.challenge)
        return json.loads(options_to_json(options))

    async def sign_in(self, place: PasskeyPlace, credential: Any, token: str, words: str) -> Person:
        """Sign a browser in as the person of a passkey.

        Raises Refused if the passkey is unknown, or the browser belongs to somebody else.

        Args:
            token: The key made by the browser.
        """
        self._check()
        from webauthn import verify_authentication_response

        challenge = self._answered(credential)
        passkey = await self.sheets.get(Passkey, str(credential.get("id", ""))[:96])
        if passkey is None:
            raise refused("wrong-token", "Nobody here has this passkey")
        try:
            verified = verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=place.name,
                expected_origin=place.origin,
                credential_public_key=_bytes(passkey.public),
                credential_current_sign_count=passkey.count,
            )
        except Exception:  # noqa: BLE001  whatever it says, it is not a proof
            raise refused("wrong-token", "This passkey is not for this server") from None
        await self.sheets.change(Passkey, passkey.id, lambda one: setattr(one, "count", verified.new_sign_count))
        return await self.persons.add_browser(passkey.whose, token, words)

    async def count(self, person: str) -> int:
        return len(await self.sheets.all(Passkey, person))

    async def forget(self, person: str) -> None:
        await self.sheets.put(gone=await self.sheets.all(Passkey, person))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
