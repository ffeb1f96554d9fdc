import type { Run, RunModel } from "#shared/contracts/run.ts";
import { answeredByOther, servedIds } from "#shared/measures/performance/served-models.ts";
import { provenanceText, relayText } from "#shared/measures/report/run/provenance-text.ts";
import { cutPlace } from "#shared/measures/report/show/shown-text.ts";

type Props = Pick<Run, "provenance"> & { simulated: boolean };

/** Marks next to every name of a model: simulated, called, called by a runner, or self-reported. */
export const ModelMarks = ({ provenance, simulated }: Props) => {
  const { kind, endpointHost, cloudHost, relay } = provenance;
  return (
    <span class="marks">
      {simulated && <span class="mark mark-simulated">simulated model</span>}
      <span class={`mark mark-${kind}`}>{provenanceText(provenance)}</span>
      {relay !== undefined && <span class="small soft">{relayText(relay)}</span>}
      {kind === "called" && (
        <span class="small soft">
          at {cloudHost ? `${endpointHost} and ${cloudHost}` : endpointHost}
        </span>
      )}
    </span>
  );
};

/** Maximum characters of an id in a table; the report has the whole id. */
const mostOfId = 80;

const shortened = (id: string): string =>
  id.length > mostOfId ? `${id.slice(0, cutPlace(id, mostOfId - 1))}…` : id;

const listed = (ids: readonly string[]): string => ids.map(shortened).join(", ");

/** The id of the requested model, and of the one that answered if its responses name another. */
export const ModelIds = ({ model }: { model: Pick<RunModel, "asked" | "served"> }) => {
  const { asked = [] } = model;
  const isOther = answeredByOther(model);
  if (asked.length === 0 && !isOther) return null;
  return (
    <small class="ids">
      {asked.length > 0 && (
        <>
          id <span>{listed(asked)}</span>{" "}
        </>
      )}
      {isOther && (
        <b>
          {asked.length > 0 && "≠ "}answered by <span>{listed(servedIds(model))}</span>
        </b>
      )}
    </small>
  );
};
