import { z } from "zod";
import { type JudgingStudy, judgingStudySchema } from "#shared/contracts/boards/judging-study.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import { runSchema } from "#shared/contracts/run.ts";
import { judgingBlocks } from "#shared/measures/judging/judging-blocks.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { readJson, readJsonObject } from "../files/open-file.ts";
import { rubricOption } from "../files/yaml-file.ts";
import { withService } from "../local/with-service.ts";
import { followSubmission } from "../remote/follow-runs.ts";
import { RUN_OR_SUBMISSION, runIds, runsText } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { startRuns } from "../remote/start-runs.ts";
import { lackOf } from "../run/checked-run.ts";
import { figuresText } from "../run/figures-text.ts";
import { tableLines } from "../score/summary-text.ts";

/** Judges of stored or given answers. */
export const judgeFlag = valueFlag(
  "NAME",
  "Model that judges, or provider:model; several are a panel",
  { multiple: true },
);

/** How judges are asked. */
export const judgeModeFlag = valueFlag(
  "MODE",
  "live, or batch: the judges judge in batches of their providers, within a day, at half the price (default: live)",
  { choices: ["live", "batch"] },
);

/** New runs, ids of submissions with --no-wait, or the study of judgings. */
const resultSchema = z.union([z.array(runSchema), z.array(z.string()), judgingStudySchema]);

const flags = {
  judge: judgeFlag,
  rubric: valueFlag("FILE", "For the suite rubric: other criteria, YAML or JSON"),
  options: valueFlag("FILE", "Other scoring options of the suite, a JSON object"),
  judgings: valueFlag(
    "FILE",
    "Several ways to judge, a JSON array of options: shows how much ranks depend on judging",
  ),
  "judge-mode": judgeModeFlag,
  "no-wait": { type: "boolean", help: "Print the ids of the new submissions and exit" },
  json: jsonFlag(
    resultSchema,
    "Print the new runs as one JSON array, with --no-wait their submissions' ids, with --judgings the study",
  ),
  ...serviceFlags,
} as const;

/** `assay rescore`: scores stored answers again, with other judges or options. */
export const rescoreCommand = command({
  name: "rescore",
  summary: "judge or score the stored answers of runs again",
  description: [
    "Scores the stored answers of runs again as new runs: with other judges, other scoring options, or the current version of the suite. No model under test is called.",
  ],
  positionals: [{ name: "id", help: RUN_OR_SUBMISSION, many: true }],
  flags,
  environment: keyVariable,
  exitCodes: { 1: "A new run failed, was cancelled or paused, or a judgment is missing" },
  notes: [
    "Stored judgments cost nothing: a judge is asked only about answers that it has not judged with the same prompt.",
    "--judge replaces all judges of the run. To choose one per metric, give --options with judgeOverrides.",
    "With --judgings and the runs of several models, the result is the rank of each model in each judging, and what determines it. These runs are unlisted and are not on boards.",
  ],
  examples: [
    "assay rescore run_01a2b3c4 --judge openai:gpt-6-luna",
    "assay rescore sub_01a2b3c4 --judge openai:gpt-6-luna --judge anthropic:claude-opus-5-5",
    "assay rescore run_01a2b3c4 run_05d6e7f8 --judgings judgings.json",
  ],
  async run(values, given, { stdout, stderr }) {
    const { server, json = false, "no-wait": isHasty = false } = values;
    const options = {
      ...readJsonObject(values.options),
      ...rubricOption(values.rubric),
      ...judgesOf(values.judge),
      ...(values["judge-mode"] && { judgeMode: values["judge-mode"] }),
    };
    const judgings = values.judgings === undefined ? null : readJson(values.judgings);
    const lasting = isHasty ? "--no-wait needs one that keeps running" : null;
    await withService({ server, scope: "submit", stderr, lasting }, async (service) => {
      const started = await rescored(service, given, {
        options,
        ...(judgings !== null && { judgings }),
      });
      const submissions = started.map(({ id }) => id);
      const print = (value: z.output<typeof resultSchema>, text: string) =>
        void stdout.write(`${json ? flags.json.text(value) : text}\n`);
      if (isHasty) return print(submissions, submissions.join("\n"));
      const advice = `the service continues; assay status ${submissions.join(" ")} --wait follows it`;
      const ids = started.flatMap(({ runs }) => runs.map(({ id }) => id));
      const runs = await followSubmission(service, ids, advice, stderr);
      const short = runs.flatMap((run) => {
        const why = lackOf(run);
        return why === null ? [] : [`${run.id} ${why}`];
      });
      if (judgings !== null && short.length === 0 && submissions.length > 1) {
        const path = `/v1/judgings?submissions=${submissions.map(encodeURIComponent).join()}`;
        const value = await service.get(path, judgingStudySchema);
        const page = `${service.origin}/compare/?submissions=${submissions.join()}`;
        return print(value, `${studyText(value)}\n\nPage: ${page}`);
      }
      const origins = runs.map(({ id, parent }) => `${id}: the answers of ${parent}`);
      const figures = figuresText(runs.map((run) => ({ run, outcomes: [] })));
      print(
        runs,
        [runsText(runs, stdout), ...(figures && ["", figures, ""]), ...origins].join("\n"),
      );
      if (short.length > 0) throw new NotPassed(short.join("; "));
    });
  },
});

/** One judge or a panel, as options of a run. Throws BadInput. */
export function judgesOf(named: readonly string[] = []): JsonObject {
  if (new Set(named).size < named.length) throw new BadInput("--judge names a judge twice");
  if (named.length > 1) return { judges: [...named] };
  return named[0] === undefined ? {} : { judge: named[0] };
}

/** Starts a new run for each run's answers; returns the submissions. An error names those started before. */
async function rescored(service: ServiceClient, given: readonly string[], request: object) {
  const started = [];
  for (const id of await runIds(service, given)) {
    const path = `/v1/runs/${encodeURIComponent(id)}/rescore`;
    try {
      started.push(await startRuns(service, request, { path }));
    } catch (error) {
      const ids = started.map((one) => one.id);
      if (ids.length > 0) (error as Error).message += `; started before: ${ids.join(" ")}`;
      throw error;
    }
  }
  return started;
}

/** The tables of a study. */
function studyText(study: JudgingStudy): string {
  const metric = suiteById(study.suite)?.metrics.find(({ id }) => id === study.metric);
  const blocks = judgingBlocks(study, metric ?? { label: study.metric, format: "score" });
  const parts = blocks.map((block) => [block.title, ...tableLines(block), block.below ?? ""]);
  return parts.map((lines) => lines.join("\n").trimEnd()).join("\n\n");
}
