import { createRoute, z } from "@hono/zod-openapi";
import { scoredRunSchema } from "#shared/contracts/boards/scored-run.ts";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { submittableAnswer } from "#shared/contracts/submissions/submittable-answer.ts";
import { answerOf } from "#shared/contracts/submissions/submitted-answer.ts";
import { wholeAnswerLine } from "#shared/contracts/submissions/whole-answer.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { openRun } from "../engine/run-work.ts";
import { fileHeaders, fileResponse, stateOf } from "../http/download.ts";
import { accepted } from "../http/refusal.ts";
import { problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, takesApiKey } from "../http/router.ts";
import type { Platform } from "../platform/platform.ts";
import { readableSamples } from "../runs/access.ts";
import { answersGoneDetail, areAnswersGone } from "../runs/run-objects.ts";
import type { RunRecord } from "../runs/schema.ts";
import { finishedRun } from "./every-eval-ever.ts";
import { samplePages } from "./sample-pages.ts";
import { fieldsExport, samplesCsv, samplesJson, scoresJson } from "./samples.ts";
import { jsonLines, textStream } from "./write-rows.ts";

const runParams = z.object({ id: nameSchema.meta({ example: "run_01a2b3c4" }) });
const shared = { method: "get" as const, security: takesApiKey, tags: ["Runs"] };

const query = z.object({
  fields: z
    .enum(["true", "false"])
    .default("false")
    .meta({ description: "with the judgement of every field" }),
});

const line =
  '{"id":"fee","outcome":"scored","covered":true,"score":1,"latencyMs":420,"inputTokens":180,"outputTokens":24,"attempts":1,"valid":true,"eqs":1}';
const eachSample =
  "A sample has id, outcome, covered, score, latencyMs, inputTokens, outputTokens, attempts, and the suite's counts, metrics and judgments, as `assay score --samples` writes them. The suite's fields are missing after the raw answers are deleted by retention";

const asJson = (format: "json" | "jsonl") =>
  createRoute({
    ...shared,
    path: `/v1/runs/{id}/samples.${format}`,
    operationId: format === "json" ? "exportSamplesJson" : "exportSamplesJsonl",
    summary: `A run's samples with their counts and metrics as ${format === "json" ? "a JSON array" : "JSON lines"}, all of them`,
    request: { params: runParams, query },
    responses: {
      ...(format === "json"
        ? fileResponse(format, `An array, in order. ${eachSample}`, [JSON.parse(line)], sampleList)
        : fileResponse(format, `One line per sample, in order. ${eachSample}`, `${line}\n`)),
      ...problemResponses("not-found", "forbidden", "invalid-request"),
    },
  });

const sampleList = z.array(z.looseObject({ id: z.string() }));

const asCsv = createRoute({
  ...shared,
  path: "/v1/runs/{id}/samples.csv",
  operationId: "exportSamplesCsv",
  summary: "A run's samples as CSV, all of them",
  request: { params: runParams },
  responses: {
    ...fileResponse(
      "csv",
      "One record per sample, in order: the columns of a listed sample with `outcome` in place of `status`, `repeat`, and its value for each compared metric. These values are missing after the raw answers are deleted by retention",
      "seq,id,outcome,covered,score,latencyMs,inputTokens,outputTokens,requests,attempts,queueWaitMs,retryWaitMs,errorClass,repeat,eqs,validity\r\n0,fee,scored,true,1,420,180,24,1,1,0,0,,0,1,1\r\n",
    ),
    ...problemResponses("not-found", "forbidden"),
  },
});

const field = {
  id: "fee",
  repeat: 0,
  path: "amount",
  namePath: "amount",
  type: "number",
  predictedType: "number",
  expected: 120,
  predicted: 120,
  category: "exact",
  score: 1,
  similarity: 1,
  typeCorrect: true,
  required: true,
  pattern: null,
  hallucination: null,
};
const fieldExamples = {
  json: [field],
  jsonl: `${JSON.stringify(field)}\n`,
  csv: `${Object.keys(field)}\r\n${Object.values(field)}\r\n`,
};
const fieldIds = {
  json: "exportFieldsJson",
  jsonl: "exportFieldsJsonl",
  csv: "exportFieldsCsv",
} as const;
const fieldNames = { json: "a JSON array", jsonl: "JSON lines", csv: "CSV" };

const fields = (format: keyof typeof fieldIds) =>
  createRoute({
    ...shared,
    path: `/v1/runs/{id}/fields.${format}`,
    operationId: fieldIds[format],
    summary: `The scored parts of a run's answers as ${fieldNames[format]}`,
    description:
      "A row for each field, slot, argument, component or judgment of each sample, with `id` and `repeat` of the sample; the other columns are the suite's, which `GET /v1/suites` describes.",
    request: { params: runParams },
    responses: {
      ...fileResponse(
        format,
        "The rows, in the order of the samples",
        fieldExamples[format],
        format === "json" ? sampleList : z.string(),
      ),
      ...problemResponses("not-found", "forbidden", "gone"),
    },
  });

const asScores = createRoute({
  ...shared,
  path: "/v1/runs/{id}/scores.json",
  operationId: "exportScoresJson",
  summary: "A finished run with its scores by sample",
  description:
    "For comparisons elsewhere: the facts of the run that decide whether another one is comparable, and each metric by sample, in columns. Saved as a file, it is a baseline for `assay run --baseline`.",
  request: { params: runParams },
  responses: {
    ...fileResponse("json", "The run and its scores", undefined, scoredRunSchema),
    ...problemResponses("not-found", "forbidden", "not-ready", "conflict"),
  },
});

async function sendSamples(c: AppContext, id: string, format: "json" | "jsonl", whole: boolean) {
  const { platform, account } = c.var;
  const run = accepted(await readableSamples(platform, account, id));
  const headers = fileHeaders(c, format, [id, "samples"], [...stateOf(run), whole, format]);
  const body = await samplesJson(platform, run, { fields: whole, format });
  return c.body(body, 200, headers) as never;
}

async function sendFields(c: AppContext, id: string, format: keyof typeof fieldIds) {
  const { platform, account } = c.var;
  const run = accepted(await readableSamples(platform, account, id));
  if (areAnswersGone(run, platform.settings, platform.now())) {
    return problem(c, "gone", answersGoneDetail(run));
  }
  const headers = fileHeaders(c, format, [id, "fields"], [...stateOf(run), "fields", format]);
  return c.body(await fieldsExport(platform, run, format), 200, headers) as never;
}

/** A run's samples as files. Streamed, so that memory never holds a whole run. */
export const sampleExportRoutes = apiRouter()
  .openapi(asJson("json"), (c) =>
    sendSamples(c, c.req.valid("param").id, "json", c.req.valid("query").fields === "true"),
  )
  .openapi(asJson("jsonl"), (c) =>
    sendSamples(c, c.req.valid("param").id, "jsonl", c.req.valid("query").fields === "true"),
  )
  .openapi(asCsv, async (c) => {
    const { platform, account } = c.var;
    const run = accepted(await readableSamples(platform, account, c.req.valid("param").id));
    const headers = fileHeaders(c, "csv", [run.id, "samples"], stateOf(run));
    return c.body(await samplesCsv(platform, run), 200, headers) as never;
  })
  .openapi(asScores, async (c) => {
    const { platform, account } = c.var;
    const run = accepted(await readableSamples(platform, account, c.req.valid("param").id));
    const finished = accepted(await finishedRun(platform, run, account));
    const state = [...stateOf(run), "scores"];
    const headers = fileHeaders(c, "json", [run.id, "scores"], state);
    return c.body(await scoresJson(platform, run, finished), 200, headers) as never;
  })
  .openapi(fields("json"), (c) => sendFields(c, c.req.valid("param").id, "json"))
  .openapi(fields("jsonl"), (c) => sendFields(c, c.req.valid("param").id, "jsonl"))
  .openapi(fields("csv"), (c) => sendFields(c, c.req.valid("param").id, "csv"));

const answers = createRoute({
  method: "get",
  path: "/v1/runs/{id}/answers.jsonl",
  operationId: "exportAnswersJsonl",
  security: takesApiKey,
  tags: ["Runs"],
  summary: "A run's answers as JSON lines, as accepted by a submission",
  description:
    "Each line is a `SubmittedAnswer`, accepted unchanged in `answers` by `POST /v1/submissions` and by `assay score`: output, finish reason, times and tokens; for a failed request, the error class. A sample with several answers has several lines. With `judgments`, lines also have the judgments, which a submission uses with `options.judge: recorded`, or from an admin in place of equal calls of judges. With `whole`, lines are as stored, with scores, judgments, times and both sides of a hybrid target; submissions do not accept these. The run's statement contains their hash.",
  request: {
    params: z.object({ id: nameSchema }),
    query: z.object({
      judgments: z
        .enum(["true", "false"])
        .default("false")
        .meta({ description: "with the judgments of each answer" }),
      whole: z
        .enum(["true", "false"])
        .default("false")
        .meta({ description: "lines as stored, for verification" }),
    }),
  },
  responses: {
    ...fileResponse(
      "jsonl",
      "One line per answer, in order; for an active run, the answers so far",
      '{"id":"fee","output":"{\\"amount\\": 120}","finishReason":"stop","latencyMs":412}\n',
    ),
    ...problemResponses("not-found", "forbidden", "conflict"),
  },
});

/** Answers to score elsewhere. */
export const answersJsonlRoutes = apiRouter().openapi(answers, async (c) => {
  const { platform, account } = c.var;
  const run = accepted(await readableSamples(platform, account, c.req.valid("param").id));
  if (areAnswersGone(run, platform.settings, platform.now())) {
    return problem(c, "conflict", answersGoneDetail(run));
  }
  const suite = platform.suites.byId(run.suite);
  if (!suite) return problem(c, "conflict", `suite "${run.suite}" is no longer offered`);
  const asked = c.req.valid("query");
  const isWhole = asked.whole === "true";
  const isJudged = asked.judgments === "true";
  const state = [...stateOf(run), ...(isWhole ? ["whole"] : isJudged ? ["judgments"] : [])];
  const headers = fileHeaders(c, "jsonl", [run.id, "answers"], state);
  if (isWhole) return c.body(await wholeAnswers(platform, run), 200, headers) as never;
  return c.body(answersJsonl(platform, run, suite, { isJudged }), 200, headers) as never;
});

/**
 * A run's answers as JSON lines that a submission accepts unchanged, in order and page by page. A sample whose stored
 * answer was deleted counts as not submitted.
 */
export function answersJsonl(
  platform: Pick<Platform, "runs" | "objects">,
  run: Pick<RunRecord, "id">,
  suite: Suite,
  { isJudged = false, ...pages }: { pageRows?: number; isJudged?: boolean } = {},
): ReadableStream<Uint8Array> {
  async function* lines() {
    for await (const page of samplePages(platform, run, pages)) {
      yield page.map(({ row: { sampleId }, stored }) =>
        JSON.stringify(
          submittableAnswer(sampleId, stored?.answer ?? answerOf(null), suite, isJudged),
        ),
      );
    }
  }
  return textStream(jsonLines(lines()));
}

/** A run's answers as stored, in order and page by page. The caller must check that the raw answers still exist. */
async function wholeAnswers(
  platform: Platform,
  run: RunRecord,
): Promise<ReadableStream<Uint8Array>> {
  const { plan } = await openRun(platform, { ...run, sealedSecrets: null });
  async function* lines() {
    for await (const page of samplePages(platform, run)) {
      yield page.map(({ row: { seq, sampleId, object }, stored }) => {
        // Fail loudly: readers would take a file with silently missing lines for the whole.
        if (stored === undefined)
          throw new Error(`missing answer of sample ${sampleId} in ${object}`);
        return wholeAnswerLine(stored, seq % plan.repeats);
      });
    }
  }
  return textStream(jsonLines(lines()));
}
