"""The routes of campaigns."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from caltrop.engine import with_part
from caltrop.host.campaigns import ServerCampaigns
from caltrop.host.games import Games
from caltrop.scenarios.campaigns import campaigns
from caltrop.server.counting import TEXT_SECONDS, Counting, try_campaign
from caltrop.server.requests import Made, Route, address_of, as_file, drawn_by, json_of, tokens_of
from caltrop.wire import read_strictly
from caltrop.wire.messages import AnotherCourse, CountBattle, DressMember, FieldBattle, NewCampaign

SMALL_FILE = 65_536
"""Largest size in bytes of a campaign file that is read in this process, which takes some hundredths of a second."""


class Campaigning:
    """The routes of campaigns.

    Args:
        counting: Runs tasks in other processes.
    """

    def __init__(self, counting: Counting, made: Made) -> None:
        self.counting, self.made = counting, made
        self.routes: list[Route] = [
            ("GET", "/api/campaigns", self.with_campaigns),
            ("POST", "/api/campaigns", self.begin_campaign),
            ("POST", "/api/campaigns/file", self.take_in_campaign),
            ("GET", "/api/campaigns/{id}", self.campaign),
            ("POST", "/api/campaigns/{id}/claim", self.claim_campaign),
            ("GET", "/api/campaigns/{id}/file", self.campaign_file),
            ("POST", "/api/campaigns/{id}/battle", self.campaign_battle),
            ("POST", "/api/campaigns/{id}/seat", self.seat_in_battle),
            ("POST", "/api/campaigns/{id}/give-up", self.give_up_battle),
            ("POST", "/api/campaigns/{id}/again", self.go_on),
            ("POST", "/api/campaigns/{id}/dress", self.dress_member),
            ("POST", "/api/campaigns/{id}/count", self.count_battle),
        ]

    async def with_campaigns(self, request: Request, games: Games) -> Response:
        """Return the games that have campaigns, and the courses of each."""
        names = with_part("campaigns")
        return json_of({"rulesets": names, "courses": {name: campaigns(name).every_course() for name in names}})

    async def begin_campaign(self, request: Request, games: Games) -> Response:
        """Begin a campaign; the answer has its secret."""
        body = read_strictly(await request.body(), NewCampaign)
        self.made.game(request)
        return json_of(await ServerCampaigns(games).begin(body, drawn_by(request)), 201)

    async def take_in_campaign(self, request: Request, games: Games) -> Response:
        """Import a campaign from its file; the answer contains the campaign's secret."""
        with self.counting.records.place(address_of(request)):
            text = await request.body()
            self.made.game(request)
            if len(text) > SMALL_FILE:
                await self.counting.records.call(address_of(request), try_campaign, text, seconds=TEXT_SECONDS)
        return json_of(await ServerCampaigns(games).take_in(text, drawn_by(request)), 201)

    async def claim_campaign(self, request: Request, games: Games) -> Response:
        """Return a new secret for a campaign without one, to a player with a seat in one of its battles."""
        self.made.game(request)
        made = await ServerCampaigns(games).claim(request.path_params["id"], tokens_of(request), drawn_by(request))
        return json_of(made, 201)

    async def campaign(self, request: Request, games: Games) -> Response:
        """Return the state of a campaign, and its battle that is being played."""
        return json_of(await ServerCampaigns(games).look(request.path_params["id"], tokens_of(request)))

    async def campaign_file(self, request: Request, games: Games) -> Response:
        """Return a campaign as a file."""
        id = request.path_params["id"]
        text = await ServerCampaigns(games).file(id, tokens_of(request))
        return Response(text, media_type="application/json", headers=as_file(f"{id}.caltrop-campaign.json"))

    async def go_on(self, request: Request, games: Games) -> Response:
        """Continue with the same roster after the end of a campaign."""
        body = read_strictly(await request.body(), AnotherCourse)
        id, tokens = request.path_params["id"], tokens_of(request)
        return json_of(await ServerCampaigns(games).go_on(id, tokens, body, drawn_by(request)))

    async def dress_member(self, request: Request, games: Games) -> Response:
        """Give a member of the roster a name, a cloak or a saying."""
        body = read_strictly(await request.body(), DressMember)
        return json_of(await ServerCampaigns(games).dress(request.path_params["id"], tokens_of(request), body))

    async def campaign_battle(self, request: Request, games: Games) -> Response:
        """Make the next battle of a campaign; the answer contains the secret of its seat."""
        body = read_strictly(await request.body(), FieldBattle)
        self.made.game(request)
        id, tokens = request.path_params["id"], tokens_of(request)
        return json_of(await ServerCampaigns(games).battle(id, tokens, body, drawn_by(request)), 201)

    async def seat_in_battle(self, request: Request, games: Games) -> Response:
        """Return an additional secret for the campaign's seat in its battle, for another leader of the campaign."""
        seat = await ServerCampaigns(games).seat(request.path_params["id"], tokens_of(request), drawn_by(request))
        return json_of(seat, 201)

    async def give_up_battle(self, request: Request, games: Games) -> Response:
        """Give up the battle of a campaign, which counts as a loss."""
        return json_of(await ServerCampaigns(games).give_up(request.path_params["id"], tokens_of(request)))

    async def count_battle(self, request: Request, games: Games) -> Response:
        """Return the result of a campaign's battle, and count it on request."""
        body = read_strictly(await request.body(), CountBattle)
        id, tokens = request.path_params["id"], tokens_of(request)
        return json_of(await ServerCampaigns(games).count(id, tokens, body, drawn_by(request)))
