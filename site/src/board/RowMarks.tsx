import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";

interface Props {
  entry: Pick<LeaderboardEntry, "model" | "provenance" | "metrics">;
}

/** In a hundred rows what is usual is said in a word; the report says which host was called. */
export const RowMarks = ({ entry: { model, provenance, metrics } }: Props) => (
  <>
    {Object.keys(metrics).length === 0 && <b class="mark mark-failed">nothing answered</b>}{" "}
    {model.simulated && <b class="mark mark-simulated">simulated</b>}{" "}
    <small>
      <span class="slug">{model.slug}</span>{" "}
      {provenance.kind === "called" ? (
        "✓ called"
      ) : (
        <b class="mark mark-self-reported">self-reported</b>
      )}
    </small>
  </>
);
