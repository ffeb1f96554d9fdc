import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { Reference } from "#shared/contracts/suite.ts";
import { provenanceText } from "#shared/measures/report/run/provenance-text.ts";
import { ModelIds } from "../report/ModelMarks.tsx";

interface Props {
  entry: Pick<LeaderboardEntry, "model" | "provenance" | "metrics">;
  /** The reference line that the headline does not exceed; null if it exceeds all, or there are none. */
  below: Reference | null;
  marksSimulated: boolean;
}

/** The usual case is a single word, because there are a hundred rows; the report names the host. */
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

/** Marks a model whose interval is not entirely above that of a reference line. */
export const ReferenceMark = ({ below: { label } }: { below: Reference }) => (
  <b class="mark" title={`95% interval not entirely above that of “${label}”`}>
    not above {label.toLowerCase()}
  </b>
);
