import type { Writable } from "node:stream";
import { submissionEstimateSchema } from "#shared/contracts/estimate.ts";
import type { RunConfig } from "#shared/contracts/run-config.ts";
import { BadInput } from "../bad-input.ts";
import type { Plan } from "../config/plan.ts";
import { NotPassed } from "../not-passed.ts";
import { isOpen } from "../remote/service-access.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { runsText } from "../runs/runs-text.ts";
import { openOutput } from "../score/output-file.ts";
import { withEndpointKeys, withoutKeys } from "./endpoint-keys.ts";
import { estimateText } from "./estimate-text.ts";
import { figuresText } from "./figures-text.ts";
import { followSubmission } from "./follow-submission.ts";
import { type JudgedRun, judgedJson, shortcomings } from "./judged-run.ts";
import { junitText } from "./junit-text.ts";
import type { Limit } from "./limit.ts";
import { prepareFolder, saveRuns } from "./save-runs.ts";
import { submitOnce } from "./submit-once.ts";
import { verdictOn } from "./verdict.ts";

/** What is to be done with a plan. */
export interface Task {
  plan: Plan;
  limits: readonly Limit[];
  output: NonNullable<RunConfig["output"]>;
  mode: "follow" | "submit" | "estimate";
  json: boolean;
}

/** Carries a plan out at a service. Throws NotPassed where a run did not finish or meet its limits. */
export async function runPlan(
  service: ServiceClient,
  task: Task,
  { stdout, stderr }: { stdout: Writable; stderr: Writable },
): Promise<void> {
  const print = (value: unknown, text: () => string) =>
    void stdout.write(`${task.json ? JSON.stringify(value, null, 2) : text()}\n`);
  const { request, keys } = withEndpointKeys(task.plan, process.env);
  if (keys.length > 0 && isOpen(service.origin)) {
    const advice = "give the service's address with https";
    throw new BadInput(
      `the endpoint's key could be read on its way to ${service.origin}: ${advice}`,
    );
  }
  if (task.mode === "estimate") {
    const path = "/v1/submissions?dryRun=true";
    const { value } = await withoutKeys(keys, () =>
      service.post(path, request, submissionEstimateSchema),
    );
    return print(value, () => estimateText(value));
  }
  const written = outputs(task);
  try {
    const { id, runs } = await withoutKeys(keys, () => submitOnce(service, request));
    const ids = runs.map((run) => run.id);
    if (task.mode === "submit") {
      const advice = `assay status ${id} --wait follows it`;
      return print({ submission: id, runs }, () => [id, ...ids, advice].join("\n"));
    }
    const followed = await followSubmission(service, id, ids, stderr);
    const judged: JudgedRun[] = followed.map((run) => ({
      ...{ run, verdicts: task.limits.map((limit) => verdictOn(run, limit)) },
    }));
    print(judgedJson(id, judged), () => summary(judged, task.plan));
    await written.complete(service, judged);
    const short = shortcomings(judged);
    if (short.length > 0) throw new NotPassed(short.join("; "));
  } finally {
    written.abandon();
  }
}

const summary = (judged: readonly JudgedRun[], { shown }: Plan): string => {
  const figures = figuresText(judged, shown);
  return [runsText(judged.map(({ run }) => run)), ...(figures && ["", figures])].join("\n");
};

/** What is written in the end. That it can be written is seen before anything is run. */
function outputs({ output, mode }: Task) {
  const { results_dir: folder, junit, save_per_sample: samples = true } = output;
  const isFollowed = mode === "follow";
  if (isFollowed && folder !== undefined) prepareFolder(folder);
  let file = isFollowed && junit !== undefined ? openOutput(junit, []) : null;
  return {
    async complete(service: ServiceClient, judged: readonly JudgedRun[]): Promise<void> {
      file?.add(junitText(judged).trimEnd());
      file?.complete();
      file = null;
      if (folder === undefined) return;
      const report = output.generate_report === true && output.report_format === "json";
      await saveRuns(
        service,
        judged.map(({ run }) => run),
        folder,
        { samples, report },
      );
    },
    /** Does nothing once all is written. */
    abandon: () => file?.abandon(),
  };
}
