"""Print the roster and the chronicle of a campaign."""

from __future__ import annotations

from caltrop.engine.campaign import Overview, words_of
from caltrop.paper.sheet import BODY, HEAD, SMALL, TITLE, PaperSheet, paragraph, table


def chronicle(shown: Overview, sheet: PaperSheet) -> None:
    parts: list[object] = [paragraph(shown.title, TITLE)]
    parts += [paragraph(words, SMALL) for words in shown.notes]
    parts.append(paragraph("Roster", HEAD))
    head = ["name", *[column.words for column in shown.columns], "notes"]
    rows = [
        [member.name, *[words_of(v, c) for v, c in zip(member.values, shown.columns, strict=True)], member.note]
        for member in shown.roster
    ]
    parts.append(table([head, *rows]))
    for number, battle in enumerate(shown.battles, 1):
        parts += [
            paragraph(f"{number}. {battle.title}", HEAD),
            paragraph(" ".join(battle.tale) or f"{battle.came}.", BODY),
        ]
    if shown.gone:
        parts.append(paragraph(f"No more on the roster: {', '.join(shown.gone)}."))
    parts.append(paragraph(f"The score is {shown.points}."))
    sheet.flow(parts)
