/** Cards that may be played now. */
import type { Decision, Offer, Picture } from "../wire/types";

export interface Offered {
  decision: Decision;
  offer: Offer;
}

/** Return the offers that play a card, by the kind of the card. */
export function cardsIn(decisions: readonly Decision[]): Map<string, Offered[]> {
  const byCard = new Map<string, Offered[]>();
  for (const decision of decisions)
    for (const offer of decision.offers)
      if (offer.card) byCard.set(offer.card, [...(byCard.get(offer.card) ?? []), { decision, offer }]);
  return byCard;
}

/** Return whether the game is played with cards. */
export function hasCards(picture: Pick<Picture, "hand" | "seats">): boolean {
  return picture.hand.length > 0 || picture.seats.some((seat) => seat.cards !== null);
}

/** Return whether an offer plays a card of the viewer's hand, which then answers it. */
export function isInHand(offer: Offer, picture: Pick<Picture, "hand">): boolean {
  return picture.hand.some((card) => card.kind === offer.card);
}
