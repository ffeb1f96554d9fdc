import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { type Answer, emptyAnswer } from "#shared/contracts/answer.ts";
import type { Run } from "#shared/contracts/run.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { judgedMetrics } from "#shared/judges/judge-prompt.ts";
import { evaluationRecord } from "#shared/measures/every-eval-ever/evaluation-record.ts";
import { instanceRecord } from "#shared/measures/every-eval-ever/instance-record.ts";
import { aRun } from "#shared/suites/__fixtures__/a-run.ts";
import { examples } from "#shared/suites/__fixtures__/examples.ts";
import { scoredRun } from "#shared/suites/__fixtures__/scored-run.ts";
import { suites } from "#shared/suites/registry.ts";

/** Schemas of evaleval/every_eval_ever 0.3.0 at commit 9bce413, stored with their licence. */
const schemaOf = (name: string) =>
  new Validator(
    JSON.parse(
      readFileSync(
        join(import.meta.dirname, "__fixtures__/every-eval-ever", `${name}.schema.json`),
        "utf8",
      ),
    ) as Schema,
    "7",
    false,
  );
const evaluations = schemaOf("eval");
const instances = schemaOf("instance_level_eval");

const flawsOf = (schema: Validator, record: unknown) =>
  schema
    .validate(JSON.parse(JSON.stringify(record)))
    .errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);

const routes = [
  { provider: "openai", model: "judge-a", simulated: false },
  { provider: "anthropic", model: "judge-b", simulated: true },
];

function answeredRun(suite: Suite): { run: Run; answers: (readonly [unknown, Answer])[] } {
  const example = examples[suite.id]!;
  const answers = example.rows.map((row, i) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    const { sample } = checked.value;
    const timed = { latencyMs: 500, inputTokens: 9, outputTokens: 4 };
    return [sample, i === 1 ? emptyAnswer : { ...example.perfect(sample), ...timed }] as const;
  });
  const options = suite.optionsSchema.parse({}) as Run["options"];
  const { summary } = scoredRun(suite, answers, options, { wallMs: 2_000 });
  const ids = suite.judging?.judges.map(({ id }) => id) ?? [];
  const judges = ids.map((id) => [id, { routes, by: "run" as const, promptHash: "a1" }]);
  const judging = suite.judging ? { judges: Object.fromEntries(judges), stages: {} } : null;
  const run = aRun(suite, { options: { ...options, concurrency: 4 }, judging, ...summary });
  return { run, answers };
}

const facts = (suite: Suite) => ({
  origin: "https://assay.example",
  judged: judgedMetrics(suite.judging?.judges ?? []),
  source: null,
});

describe.each(suites.map((suite) => [suite.id, suite] as const))("a run of %s", (_, suite) => {
  const { run, answers } = answeredRun(suite);
  const record = evaluationRecord(run, suite, facts(suite));

  it("is a valid record with every metric that has a value", () => {
    expect(flawsOf(evaluations, record)).toEqual([]);
    const measured = suite.metrics.filter(({ id }) => run.metrics?.[id]?.value != null);
    expect(record.evaluation_results).toHaveLength(measured.length);
    expect(record.evaluation_results[0]).toMatchObject({
      score_details: { score: run.metrics?.[suite.headline]?.value },
    });
  });

  it("has values and intervals within the bounds of their scale", () => {
    for (const { metric_config, score_details } of record.evaluation_results as never[]) {
      const { min_score, max_score, metric_id } = metric_config as Record<string, number>;
      const { score, uncertainty } = score_details as {
        score: number;
        uncertainty: { confidence_interval?: { lower: number; upper: number; method: string } };
      };
      // Only rates state the method of their interval, which is never a bootstrap.
      expect(uncertainty.confidence_interval?.method ?? "Wilson").toContain("Wilson");
      const { lower = score, upper = score } = uncertainty.confidence_interval ?? {};
      for (const value of [score, lower, upper]) {
        expect([metric_id, value >= min_score!]).toEqual([metric_id, true]);
        expect([metric_id, value <= Number(max_score)]).toEqual([metric_id, true]);
      }
    }
  });

  it("has valid instances that refer to the headline's result", () => {
    const [joined] = record.evaluation_results as { evaluation_result_id: string }[];
    for (const [sample, answer] of answers) {
      const { id, tags } = suite.sampleHead(sample);
      const score = suite.score(sample, answer, suite.optionsSchema.parse({})).score ?? 0;
      const text = suite.sampleText(sample);
      const instance = instanceRecord(run, { id, repeat: 0, tags, text, answer, score });
      expect(flawsOf(instances, instance)).toEqual([]);
      expect(instance).toMatchObject({
        evaluation_id: record.evaluation_id,
        evaluation_result_id: joined?.evaluation_result_id,
        model_id: record.model_info.id,
      });
      expect(text.input).not.toBe("");
    }
  });
});

it("evaluationRecord() records the requested model ids and the served model ids", () => {
  const [suite] = suites;
  const { run } = answeredRun(suite!);
  const served = [
    { model: "m-2026-05-01", answers: 8 },
    { model: null, answers: 2 },
  ];
  const detailsOf = (more: Partial<Run["model"]>) => {
    const model = { ...run.model, ...more };
    const record = evaluationRecord({ ...run, model }, suite!, facts(suite!));
    expect(flawsOf(evaluations, record)).toEqual([]);
    return record.model_info.additional_details;
  };
  expect(detailsOf({ asked: ["m", "cloud-m"], served })).toMatchObject({
    model_id: "m; cloud-m",
    served_model_ids: "m-2026-05-01; others",
  });
  const without = detailsOf({ asked: ["m"], served: [] });
  expect(without).toMatchObject({ model_id: "m" });
  expect(without).not.toHaveProperty("served_model_ids");
});

it("evaluationRecord() records generation settings only if they are known", () => {
  const [suite] = suites;
  const { run } = answeredRun(suite!);
  const argsOf = (provenance: Run["provenance"]) => {
    const options = { ...run.options, temperature: 0.3, maxTokens: 90 };
    const record = evaluationRecord({ ...run, options, provenance }, suite!, facts(suite!));
    expect(flawsOf(evaluations, record)).toEqual([]);
    return record.evaluation_results[0]?.generation_config.generation_args;
  };
  const called = { kind: "called", endpointHost: "api.openai.com" } as const;
  expect(argsOf(called)).toMatchObject({ temperature: 0.3, max_tokens: 90 });
  expect(argsOf(called)).toHaveProperty("prompt_template");
  const sent = { kind: "self-reported", endpointHost: null } as const;
  expect(argsOf(sent)).toEqual({});
  expect(argsOf({ ...sent, relay: "program" })).toEqual({});
  expect(argsOf({ ...sent, settings: { temperature: 0.7 } })).toEqual({ temperature: 0.7 });
});

it.each<[url: string | null, host: string | null, expected: object]>([
  [
    null,
    "api.openai.com",
    { deployment_type: "externally_managed", model_availability: "unknown" },
  ],
  [null, "llm.acme.example", { deployment_type: "unknown" }],
  [null, null, { deployment_type: "unknown" }],
  [null, "127.0.0.1:8000", { deployment_type: "self_deployed" }],
  ["https://huggingface.co/Acme/Large", null, { model_availability: "open_weights" }],
  ["https://huggingface.co/Acme/Large/tree/main", null, { model_availability: "open_weights" }],
  ["https://huggingface.co/datasets/acme", null, { model_availability: "unknown" }],
  ["https://huggingface.co.example/Acme/Large", null, { model_availability: "unknown" }],
])(
  "evaluationRecord() describes a model with page %s at host %s as %j",
  (url, endpointHost, expected) => {
    const [suite] = suites;
    const { run } = answeredRun(suite!);
    const its = {
      ...run,
      model: { ...run.model, url },
      provenance: { ...run.provenance, endpointHost },
    };
    const { model_info: info } = evaluationRecord(its, suite!, facts(suite!));
    expect(info.additional_details).toMatchObject(expected);
    const isOpen = info.additional_details.model_availability === "open_weights";
    expect(info.id).toBe(isOpen ? "Acme/Large" : run.model.slug);
  },
);

it.each<[source: string | null, expected: object]>([
  [null, { source_type: "other" }],
  ["https://data.example/x", { source_type: "url", url: ["https://data.example/x"] }],
  ["https://huggingface.co/datasets/gsm8k", { source_type: "hf_dataset", hf_repo: "gsm8k" }],
  [
    `https://huggingface.co/datasets/acme/a-b/tree/${"0".repeat(40)}`,
    { source_type: "hf_dataset", hf_repo: "acme/a-b", samples_number: 12 },
  ],
])("evaluationRecord() describes a dataset from %s as %j", (source, expected) => {
  const [suite] = suites;
  const record = evaluationRecord(answeredRun(suite!).run, suite!, { ...facts(suite!), source });
  expect(flawsOf(evaluations, record)).toEqual([]);
  expect(record.evaluation_results[0]?.source_data).toMatchObject(expected);
});

it("the schemas reject records without required fields", () => {
  const [suite] = suites;
  const { model_info: _, ...record } = evaluationRecord(
    answeredRun(suite!).run,
    suite!,
    facts(suite!),
  );
  expect(flawsOf(evaluations, record)).not.toEqual([]);
  expect(flawsOf(instances, { schema_version: "0.3.0" })).not.toEqual([]);
});

it("evaluationRecord() records a panel with its prompt and its aggregation method", () => {
  const memory = suites.find(({ id }) => id === "memory")!;
  const { evaluation_results } = evaluationRecord(answeredRun(memory).run, memory, facts(memory));
  const scoring = (metric: string) =>
    (evaluation_results as unknown as { metric_config: Record<string, unknown> }[]).find(
      ({ metric_config }) => metric_config["metric_id"] === `assay.memory.${metric}`,
    )?.metric_config["llm_scoring"] as Record<string, unknown> | undefined;
  expect(scoring("empathy")).toMatchObject({
    judges: [{ model_info: { id: "openai/judge-a" } }, { model_info: { id: "anthropic/judge-b" } }],
    input_prompt: expect.stringContaining("You judge one thing about an answer"),
    aggregation_method: "median",
  });
  // Relevance compares embeddings and has no prompt.
  expect(scoring("relevance")).toBeUndefined();
  expect(scoring("mcs")).toBeUndefined();
});

it("instanceRecord() computes the sample hash by the schema's definition", () => {
  // hashlib.sha256(json.dumps({"raw": …, "reference": […]}, sort_keys=True, separators=(",", ":"))), Python 3.
  const text = { input: 'Zoë paid 5 €\n"\u007f"😀', references: ['{"a":1}'] };
  const run = answeredRun(suites[0]!).run;
  const one = { id: "a", repeat: 0, tags: {}, text, answer: emptyAnswer, score: 0 };
  expect(instanceRecord(run, one).sample_hash).toBe(
    "5da9414b77f83a18525d0d7b9cc7e820bb521e9ac7f4ac10d2e519564b78a70a",
  );
});

it("instanceRecord() records tool calls, refusals and failed requests", () => {
  const run = answeredRun(suites[0]!).run;
  const text = { input: "x", references: [] };
  const call = { name: "ping", arguments: {} };
  const answers: [Partial<Answer>, object][] = [
    [{ toolCalls: [call] as never }, { output: { raw: [JSON.stringify([call])] } }],
    [{ refusal: "No." }, { output: { raw: ["No."] }, error: null }],
    [
      { error: { class: "timeout", message: "no answer" } },
      { output: { raw: [] }, answer_attribution: [], error: "timeout: no answer" },
    ],
  ];
  for (const [answer, expected] of answers) {
    const its = { ...emptyAnswer, ...answer };
    const record = instanceRecord(run, {
      id: "a",
      repeat: 1,
      tags: {},
      text,
      answer: its,
      score: 0,
    });
    expect(record).toMatchObject({ ...expected, metadata: { repeat: "1" } });
    expect(flawsOf(instances, record)).toEqual([]);
  }
});
