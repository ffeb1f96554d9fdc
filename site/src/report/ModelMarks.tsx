import type { Run } from "#shared/contracts/run.ts";

type Props = Pick<Run, "provenance"> & { simulated: boolean };

/** What must be known of a model's numbers wherever it is named: simulated, called or self-reported. */
export const ModelMarks = ({ provenance: { kind, endpointHost, cloudHost }, simulated }: Props) => (
  <span class="marks">
    {simulated && <span class="mark mark-simulated">simulated model</span>}
    <span class={`mark mark-${kind}`}>
      {kind === "called" ? "called by Assay" : "self-reported"}
    </span>
    {kind === "called" && (
      <span class="small soft">
        at {cloudHost ? `${endpointHost} and ${cloudHost}` : endpointHost}
      </span>
    )}
  </span>
);
