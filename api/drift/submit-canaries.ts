import type { Canary } from "#shared/contracts/judging.ts";
import { err, type Result } from "#shared/contracts/result.ts";
import { submissionRequestSchema } from "#shared/contracts/submission.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { Ports } from "../platform/ports.ts";
import { type SubmissionRefusal, submit } from "../submissions/service.ts";

/** Whose the canaries are. */
const OWNER = "assay";

/**
 * Has a suite's canaries judged on a dataset with its standard options, each in a run of its own that
 * stands on no board. Gives the submission's id.
 */
export async function submitCanaries(
  ports: Ports,
  suite: Suite,
  dataset: string,
  id = ports.newId("sub"),
): Promise<Result<string, SubmissionRefusal>> {
  const canaries = suite.judging?.canaries ?? [];
  const [name = "", version = null] = dataset.split("@");
  const found = await ports.datasets.find(suite.id, name, version, {
    owner: OWNER,
    anyOwner: true,
  });
  if (found === null) {
    const detail = `suite ${suite.id} has no dataset "${dataset}"; GET /v1/datasets lists them`;
    return err({ kind: "invalid", errors: [{ pointer: "/dataset", detail }] });
  }
  const samples = await samplesOf(ports, suite, found.version);
  const request = submissionRequestSchema.parse({
    suite: suite.id,
    dataset: `${name}@${found.version}`,
    visibility: "unlisted",
    models: canaries.map((canary) => canaryModel(suite, canary, samples)),
  });
  const submitter = { owner: OWNER, anyOwner: true, quota: null };
  return submit(
    ports,
    request,
    submitter,
    id,
    canaries.map((canary) => canary.id),
  );
}

function canaryModel(suite: Suite, canary: Canary, samples: readonly unknown[]) {
  const outputs = canary.answers(samples);
  const ids = samples.map((sample) => suite.sampleHead(sample).id);
  return {
    name: `Canary: ${canary.label}`,
    slug: `${OWNER}/canary-${canary.id}`,
    simulated: true,
    answers: ids.map((id, i) => ({ id, output: outputs[i] ?? "" })),
  };
}

async function samplesOf(ports: Ports, suite: Suite, version: string): Promise<unknown[]> {
  const { heads } = await ports.datasets.index(suite.id, version);
  const samples: unknown[] = [];
  for (const position of heads.keys()) {
    const checked = suite.checkSample(await ports.datasets.row(suite.id, version, position));
    if (!checked.ok) throw new Error(`a stored row of ${suite.id} is malformed: ${checked.error}`);
    samples.push(checked.value.sample);
  }
  return samples;
}

/**
 * Has canaries judged that were not for as long as the deployment says; does nothing where it says never,
 * the dataset is not there, or nobody can judge. Of several sweeps at once one submits them.
 */
export async function submitDueCanaries(ports: Ports): Promise<void> {
  const { canaryIntervalMs, canaryDataset } = ports.settings;
  if (canaryIntervalMs === 0) return;
  const period = Math.floor(ports.now() / canaryIntervalMs);
  for (const suite of ports.suites.all) {
    if ((suite.judging?.canaries ?? []).length === 0) continue;
    const id = `sub_canaries_${suite.id}_${period}`;
    if ((await ports.runs.submission(id)) !== null) continue;
    const submitted = await submitCanaries(ports, suite, canaryDataset, id);
    if (submitted.ok) continue;
    const entry = { event: "canaries-refused", suite: suite.id, error: submitted.error };
    console.error(JSON.stringify(entry));
  }
}
