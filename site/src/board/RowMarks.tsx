import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Reference } from "#shared/contracts/suite.ts";
import { provenanceText } from "#shared/measures/report/run/provenance-text.ts";
import { ModelIds } from "../report/ModelMarks.tsx";

interface Props {
  entry: Pick<LeaderboardEntry, "model" | "provenance" | "metrics">;
  /** The line that its headline is not above; null: it is above all, or there are no lines. */
  below: Reference | null;
  marksSimulated: boolean;
}

/** The usual case has one word, because there are a hundred rows; the report names the host. */
export const RowMarks = ({
  entry: { model, provenance, metrics },
  below,
  marksSimulated,
}: Props) => (
  <>
    {Object.keys(metrics).length === 0 && <b class="mark mark-failed">nothing answered</b>}{" "}
    {marksSimulated && model.simulated && <b class="mark mark-simulated">simulated</b>}{" "}
    {below && <ReferenceMark below={below} />}{" "}
    <small>
      <span class="slug">{model.slug}</span>{" "}
      {provenance.kind === "called" ? (
        "✓\u00a0called"
      ) : (
        <b class={`mark mark-${provenance.kind}`}>{provenanceText(provenance)}</b>
      )}
    </small>
    <ModelIds model={model} />
  </>
);

/** Says that the score does not distinguish a model's answers from those of a reference line. */
export const ReferenceMark = ({ below: { label } }: { below: Reference }) => (
  <b class="mark" title={`95% interval not entirely above that of “${label}”`}>
    not above {label.toLowerCase()}
  </b>
);
