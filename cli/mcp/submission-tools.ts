import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { submissionEstimateSchema } from "#shared/contracts/submissions/estimate.ts";
import type { RunConfig } from "#shared/contracts/submissions/run-config.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { startedSchema, startRuns } from "../remote/start-runs.ts";
import {
  endpointKeys,
  refuseUnencrypted,
  withEndpointKeys,
  withoutKeys,
} from "../run/endpoint-keys.ts";
import { estimateOf, estimateText } from "../run/estimate.ts";
import { plannedSubmission, submissionArguments } from "./planned-submission.ts";
import { addTool } from "./tool.ts";

const { models } = submissionEstimateSchema.shape;
const estimateSchema = submissionEstimateSchema
  .pick({ suite: true, dataset: true, total: true, judgeRequests: true, judgeCostUsd: true })
  .extend({
    models: z.array(models.element.pick({ model: true, requests: true, costUsd: true })),
    remainingSamples: submissionEstimateSchema.shape.quota.shape.remainingSamples,
    warnings: submissionEstimateSchema.shape.warnings,
  });

/** Estimates a submission; no key of an endpoint is read. */
export function addEstimate(server: McpServer, service: ServiceClient, known: RunConfig): void {
  addTool(server, {
    name: "estimate_run",
    title: "Estimate a run",
    description:
      "Checks a submission and estimates its requests, tokens, cost and time, without starting anything. Takes the arguments of submit_run.",
    input: submissionArguments,
    output: estimateSchema,
    async work(asked) {
      const value = await estimateOf(service, plannedSubmission(asked, known).request);
      const { remainingSamples } = value.quota;
      return {
        text: estimateText(value),
        value: { ...value, remainingSamples },
      };
    },
  });
}

/** Starts runs, with keys of endpoints from the environment. */
export function addSubmit(server: McpServer, service: ServiceClient, known: RunConfig): void {
  addTool(server, {
    name: "submit_run",
    title: "Start a run",
    description:
      "Starts the evaluation of models, which calls them and costs money: estimate it first with estimate_run, and tell the user the cost. Returns at once; run_status follows the runs.",
    input: submissionArguments,
    output: z.object({
      submission: z.string(),
      runs: z.array(startedSchema.shape.runs.element.pick({ id: true, model: true, status: true })),
    }),
    isStarting: true,
    async work(asked) {
      const plan = plannedSubmission(asked, known);
      const keys = endpointKeys(plan, process.env);
      refuseUnencrypted(service.origin, keys);
      const body = withEndpointKeys(plan.request, keys);
      const { id, runs } = await withoutKeys(keys, () => startRuns(service, body));
      const lines = runs.map((run) => `${run.id}: ${run.model}, ${run.status}`);
      const text = [`Submitted as ${id}; run_status follows it.`, ...lines].join("\n");
      return { text, value: { submission: id, runs } };
    },
  });
}
