/** The shown series of computer battles: one series, or two for comparison. */
import { plural } from "./measure";
import {
  askSeries,
  compareSeries,
  seriesNow,
  stopSeries,
  Unanswered,
  type Comparison,
  type NewSeries,
  type Series,
} from "../wire/api";
import { wordsOf } from "./faults";

/** Milliseconds between two requests for the state of a running series. */
const PAUSE = 700;

/** A series with a title that distinguishes it from the other one. */
export interface Titled {
  title: string;
  series: Series;
}

export class Watched {
  shown = $state.raw<readonly Titled[]>([]);
  comparison = $state.raw<Comparison | null>(null);
  /** The latest error, or empty. */
  trouble = $state("");
  busy = $state(false);
  readonly playing: boolean = $derived(
    this.shown.some(({ series }) => series.stage === "playing" || series.stage === "waiting"),
  );
  #timer: ReturnType<typeof setTimeout> | undefined;
  #gone = false;

  /** Ask for one series of battles, or for two. If `begin` is false, only ask whether they were played. */
  async ask(orders: readonly { title: string; wanted: NewSeries }[], begin: boolean): Promise<void> {
    this.busy = true;
    this.trouble = "";
    clearTimeout(this.#timer);
    try {
      const list: Titled[] = [];
      for (const { title, wanted } of orders) list.push({ title, series: await askSeries(wanted, begin) });
      this.comparison = null;
      this.shown = list.some(({ series }) => series.stage !== "new") ? list : [];
      await this.#follow();
    } catch (error) {
      this.trouble = wordsOf(error);
    } finally {
      this.busy = false;
    }
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      // The last series is asked for first, because otherwise it would begin when the previous one ends.
      for (const { series } of [...this.shown].reverse()) await stopSeries(series.id);
    } catch (error) {
      this.trouble = wordsOf(error);
    }
    await this.#look();
  }

  /** Stop watching. Series that are not finished continue. */
  leave(): void {
    this.#gone = true;
    clearTimeout(this.#timer);
  }

  async #follow(): Promise<void> {
    const [one, other] = this.shown;
    if (one?.series.report && other?.series.report)
      this.comparison = await compareSeries(one.series.id, other.series.id);
    if (this.playing && !this.#gone) this.#timer = setTimeout(() => void this.#look(), PAUSE);
  }

  async #look(): Promise<void> {
    try {
      this.shown = await Promise.all(
        this.shown.map(async ({ title, series }) => ({ title, series: await seriesNow(series.id) })),
      );
      this.trouble = "";
      await this.#follow();
    } catch (error) {
      // The server continues the series even if it does not answer for a while.
      this.trouble = wordsOf(error);
      const isForgotten = error instanceof Unanswered && error.status === 404;
      if (!isForgotten && !this.#gone) this.#timer = setTimeout(() => void this.#look(), 3 * PAUSE);
    }
  }
}

/** Return the progress of a series in words. */
export function stageOf({ stage, done, games, ahead, seconds, words }: Series): string {
  if (stage === "waiting") return ahead > 0 ? "waits until other games are over" : "begins";
  if (stage === "playing") {
    if (done === 0)
      return (
        `0 of ${plural(games, "game")}: the first is being played` +
        (seconds >= 2 ? `, ${timeOf(Math.floor(seconds))} so far` : "")
      );
    const left = Math.ceil((seconds / done) * (games - done));
    return `${done} of ${plural(games, "game")}${left > 0 ? `, ${timeOf(left)} left` : ""}`;
  }
  if (stage === "done") return `${plural(games, "game")} played`;
  return `${done} of ${plural(games, "game")} played: ${words}`;
}

function timeOf(seconds: number): string {
  return seconds < 90 ? plural(seconds, "second") : plural(Math.round(seconds / 60), "minute");
}

/** Return what the wins of a series show, in one sentence. */
export function verdictOf(series: Series): string {
  const { report } = series;
  if (report === null) return "";
  const wins = [0, 1].map((who) => report.wins[who] ?? 0);
  const best = (wins[1] ?? 0) > (wins[0] ?? 0) ? 1 : 0;
  const [low] = report.intervals[best] ?? [0, 1];
  const names = report.players[0] === report.players[1] ? ["The first player", "The second player"] : report.players;
  if (report.games === report.draws) return "No game has had a winner.";
  if (low > 0.5) return `${names[best]} is the stronger one here: its whole interval is above one half.`;
  return "It is still open which player is stronger: the intervals contain one half. More games make them narrower.";
}

/** Return the meaning of an interval of a difference, in words. */
export function changeOf(low: number, high: number): string {
  return low > 0
    ? "significantly more"
    : high < 0
      ? "significantly less"
      : low === 0 && high === 0
        ? "the same"
        : "may be chance";
}
