import type { ModelEstimate, SubmissionEstimate } from "#shared/contracts/estimate.ts";
import type { SubmittedModel } from "#shared/contracts/submission.ts";
import type { Ports, PrecedentQuery, RunRecord } from "../ports.ts";
import { type Submitter, slugOf } from "./check-models.ts";
import {
  answeredExpense,
  CHARACTERS_PER_TOKEN,
  estimateExpense,
  totalExpense,
} from "./estimate.ts";
import { evenlySpaced, mergeProbes, type Probe, probeUnit } from "./probe-unit.ts";
import { usageOf } from "./quota.ts";
import type { ResolvedSubmission } from "./resolve-submission.ts";

/** Units asked of the suite: enough for a mean, few enough for one HTTP request. */
const PROBED_UNITS = 50;
/** Where no earlier run tells: a mid-sized hosted model on a page of text. */
const ASSUMED_LATENCY_MS = 2_000;

/** What a checked submission would take. Stores nothing and calls no endpoint. */
export async function estimateSubmission(
  ports: Ports,
  submission: ResolvedSubmission,
  submitter: Submitter,
): Promise<SubmissionEstimate> {
  const { suite, dataset, request } = submission;
  const probe = await probeUnits(ports, submission);
  const of = { suite: suite.id, datasetName: dataset.name, metered: true } as const;
  const metered = await ports.runs.precedent(of, submitter.owner);
  const models = await Promise.all(
    request.models.map((model) =>
      model.answers === undefined
        ? askedModel(ports, submission, submitter.owner, { model, probe, metered })
        : answeredModel(submission, submitter.owner, model),
    ),
  );
  return {
    suite: suite.id,
    dataset: { name: dataset.name, version: dataset.version },
    models,
    total: totalExpense(models),
    quota: await usageOf(ports, submitter.quota),
  };
}

async function probeUnits(ports: Ports, submission: ResolvedSubmission): Promise<Probe> {
  const { suite, suiteOptions: options, dataset, plan } = submission;
  const probes: Probe[] = [];
  for (const number of evenlySpaced(plan.units.length, PROBED_UNITS)) {
    const unit = plan.units[number];
    if (!unit) continue;
    const samples = await Promise.all(
      unit.samples.map(async (sample) => {
        const position = plan.positions[sample] ?? 0;
        const row = await ports.datasets.row(suite.id, dataset.version, position);
        const checked = suite.checkSample(row);
        if (!checked.ok) throw new Error(`stored row of ${dataset.name} is malformed`);
        return checked.value.sample;
      }),
    );
    probes.push(probeUnit(suite, { samples, options, repeat: unit.repeat }));
  }
  return mergeProbes(probes);
}

interface Asked {
  model: SubmittedModel;
  probe: Probe;
  /** An earlier run whose tokens are known. */
  metered: RunRecord | null;
}

async function askedModel(
  ports: Ports,
  { suite, options, plan }: ResolvedSubmission,
  owner: string,
  { model, probe, metered }: Asked,
): Promise<ModelEstimate> {
  const slug = slugOf(model, owner);
  const latency = await latencyOf(ports, slug, suite.id, owner);
  const concurrency = Math.max(1, Math.min(options["concurrency"] as number, plan.units.length));
  const expense = estimateExpense({
    samples: plan.total,
    units: plan.units.length,
    ...{ probe, concurrency, meanLatencyMs: latency.meanMs, prices: model.prices ?? null },
    outputTokensPerSample: metered && metered.outputTokens / (metered.done - metered.failed),
  });
  return {
    model: slug,
    ...expense,
    basis: {
      requests: `asked of the suite for ${probe.units} of ${plan.units.length} units, each reply taken as empty; retries come on top`,
      inputTokens: `characters of prompts, schemas and tools / ${CHARACTERS_PER_TOKEN}, of the same units`,
      outputTokens:
        metered === null
          ? "expected: no finished run on this dataset to go by; max: the requests' maxTokens"
          : `expected: mean of run ${metered.id} (${metered.modelSlug}) on this dataset; max: the requests' maxTokens`,
      expectedWallSeconds: `requests × ${latency.basis} / ${concurrency} at once`,
    },
  };
}

/** The mean latency to reckon with: of the model's newest run, of the suite's, or an assumed one. */
async function latencyOf(ports: Ports, modelSlug: string, suite: string, owner: string) {
  const queries: PrecedentQuery[] = [
    { modelSlug, called: true },
    { suite, called: true },
  ];
  for (const query of queries) {
    const run = await ports.runs.precedent(query, owner);
    const meanMs = run && (await ports.runs.meanLatencyMs(run.id));
    if (run && meanMs !== null) {
      const basis = `${Math.round(meanMs)} ms (mean of run ${run.id}, ${run.modelSlug})`;
      return { meanMs, basis };
    }
  }
  return {
    meanMs: ASSUMED_LATENCY_MS,
    basis: `${ASSUMED_LATENCY_MS} ms (assumed: no run to go by)`,
  };
}

function answeredModel(
  { plan }: ResolvedSubmission,
  owner: string,
  model: SubmittedModel,
): ModelEstimate {
  const none = "answers made elsewhere: nothing is asked";
  return {
    model: slugOf(model, owner),
    ...answeredExpense(plan.total, plan.units.length),
    basis: { requests: none, inputTokens: none, outputTokens: none, expectedWallSeconds: none },
  };
}
