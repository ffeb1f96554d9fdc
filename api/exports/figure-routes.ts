import { createRoute, z } from "@hono/zod-openapi";
import { aggregatesSchema } from "#shared/contracts/boards/aggregate-row.ts";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import { nameSchema } from "#shared/contracts/bounds.ts";
import { reportMarkdown } from "#shared/measures/report/markdown/report-markdown.ts";
import { fileHeaders, fileResponse, stateOf } from "../http/download.ts";
import { accepted } from "../http/refusal.ts";
import { originOf, problem, problemResponses } from "../http/responses.ts";
import { type AppContext, apiRouter, takesApiKey } from "../http/router.ts";
import { readableRun, readableSamples } from "../runs/access.ts";
import { reportView } from "../runs/report-view.ts";
import { answersGoneDetail, areAnswersGone } from "../runs/run-objects.ts";
import {
  aggregatesExport,
  evaluationExport,
  finishedRun,
  instancesExport,
} from "./every-eval-ever.ts";

const runParams = z.object({ id: nameSchema.meta({ example: "run_01a2b3c4" }) });
const shared = {
  method: "get" as const,
  security: takesApiKey,
  tags: ["Runs"],
  request: { params: runParams },
};
const unfinished = problemResponses("not-found", "not-ready", "conflict");

const ids = {
  json: "exportAggregatesJson",
  jsonl: "exportAggregatesJsonl",
  csv: "exportAggregatesCsv",
} as const;
const row = {
  kind: "metric",
  id: "eqs",
  label: "EQS",
  value: 0.917,
  low: 0.84,
  high: 0.97,
  n: 40,
  coverage: 1,
  unit: "ratio",
  better: "higher",
  grade: null,
  definition: "0.15 · validity…",
};
const rowExamples = {
  jsonl: `${JSON.stringify(row)}\n`,
  csv: `${Object.keys(row)}\r\n${Object.values(row)}\r\n`,
};

const aggregates = (format: keyof typeof ids) =>
  createRoute({
    ...shared,
    path: `/v1/runs/{id}/aggregates.${format}`,
    operationId: ids[format],
    summary: `All aggregates of a run as ${{ json: "JSON", jsonl: "JSON lines", csv: "CSV" }[format]}`,
    description:
      "Every metric with value, 95% interval, n, coverage, unit, direction and definition, then every cell of the suite's breakdown.",
    responses: {
      ...(format === "json"
        ? fileResponse(format, "The run, and the rows", undefined, aggregatesSchema)
        : fileResponse(format, "One row per metric or cell", rowExamples[format])),
      ...unfinished,
    },
  });

const report = createRoute({
  ...shared,
  path: "/v1/runs/{id}/report.md",
  operationId: "exportReportMarkdown",
  summary: "A run's report as Markdown",
  description:
    "The sections of the report page, with the table of each chart. For a run that has not finished, its progress.",
  responses: {
    ...fileResponse("md", "The report", "# Simulated small: Structured extraction report\n"),
    ...problemResponses("not-found"),
  },
});

const evaluation = createRoute({
  ...shared,
  path: "/v1/runs/{id}/every-eval-ever.json",
  operationId: "exportEvaluationRecord",
  summary: "A run as an Every Eval Ever record",
  description:
    "By the schema of [Every Eval Ever](https://github.com/evaleval/every_eval_ever), version 0.3.0: every metric that has a value, with interval, scale, judges and generation options.",
  responses: {
    ...fileResponse(
      "json",
      "The record",
      { schema_version: "0.3.0", evaluation_id: "assay/extraction/acme/large/run_01a2b3c4" },
      z.looseObject({ schema_version: z.string(), evaluation_id: z.string() }),
    ),
    ...unfinished,
  },
});

const instances = createRoute({
  ...shared,
  path: "/v1/runs/{id}/every-eval-ever.jsonl",
  operationId: "exportInstanceRecords",
  summary: "A run's samples as Every Eval Ever instances",
  description:
    "One line per scored sample, in the instance-level schema 0.3.0, joined to the record's headline result; with input, expected output and answer.",
  responses: {
    ...fileResponse(
      "jsonl",
      "The instances, in the order of the samples",
      '{"schema_version":"0.3.0","evaluation_id":"assay/extraction/acme/large/run_01a2b3c4","sample_id":"fee"}\n',
    ),
    ...problemResponses("not-found", "forbidden", "gone"),
  },
});

async function sendAggregates(c: AppContext, id: string, format: keyof typeof ids) {
  const { platform, account } = c.var;
  const found = accepted(await readableRun(platform, account, id));
  const run = accepted(await finishedRun(platform, found, account));
  const suite = platform.suites.byId(run.suite);
  const catalogue = suite ? suiteFor(suite, run.options).metrics : [];
  const body = aggregatesExport(run, catalogue, format);
  return c.body(body, 200, fileHeaders(c, format, [id, "aggregates"])) as never;
}

export const figureExportRoutes = apiRouter()
  .openapi(aggregates("json"), (c) => sendAggregates(c, c.req.valid("param").id, "json"))
  .openapi(aggregates("jsonl"), (c) => sendAggregates(c, c.req.valid("param").id, "jsonl"))
  .openapi(aggregates("csv"), (c) => sendAggregates(c, c.req.valid("param").id, "csv"))
  .openapi(report, async (c) => {
    const { platform, account } = c.var;
    const run = accepted(await readableRun(platform, account, c.req.valid("param").id));
    const text = reportMarkdown(await reportView(platform, run, account));
    return c.body(text, 200, fileHeaders(c, "md", [run.id, "report"])) as never;
  })
  .openapi(evaluation, async (c) => {
    const { platform, account } = c.var;
    const found = accepted(await readableRun(platform, account, c.req.valid("param").id));
    const run = accepted(await finishedRun(platform, found, account));
    const record = await evaluationExport(platform, run, originOf(c));
    const headers = fileHeaders(c, "json", [run.id, "every-eval-ever"]);
    return c.body(`${JSON.stringify(record, null, 2)}\n`, 200, headers) as never;
  })
  .openapi(instances, async (c) => {
    const { platform, account } = c.var;
    const run = accepted(await readableSamples(platform, account, c.req.valid("param").id));
    if (areAnswersGone(run, platform.settings, platform.now())) {
      return problem(c, "gone", answersGoneDetail(run));
    }
    const state = [...stateOf(run), "instances"];
    const headers = fileHeaders(c, "jsonl", [run.id, "every-eval-ever"], state);
    return c.body(await instancesExport(platform, run), 200, headers) as never;
  });
