import type { Run } from "#shared/contracts/run.ts";
import { endpointExample } from "../format/submit-command.ts";

type Repeated = Pick<Run, "suite" | "dataset" | "model" | "options" | "hybrid">;

/** The submission that repeats a run: same suite, dataset version, options and kind of target. */
export const repeatSubmission = (run: Repeated) => ({
  suite: run.suite,
  dataset: `${run.dataset.name}@${run.dataset.version.slice(0, 12)}`,
  models: [{ name: run.model.name, ...targetLike(run) }],
  options: run.options,
});

function targetLike({ hybrid }: Repeated) {
  if (hybrid === null) return { endpoint: endpointExample };
  const local = { ...endpointExample, baseUrl: "https://device.example.com/v1" };
  const { confidenceThreshold } = hybrid;
  return { hybrid: { local, cloud: endpointExample, confidenceThreshold } };
}
