import { randomUUID } from "node:crypto";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { Run } from "#shared/contracts/run.ts";
import { submissionSchema } from "#shared/contracts/submissions/submission.ts";
import { command, valueFlag } from "../command-line/command.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { readJsonObject } from "../files/read-json.ts";
import { withService } from "../local/with-service.ts";
import { followSubmission } from "../remote/follow-runs.ts";
import { idempotentCall } from "../remote/idempotent-call.ts";
import { RUN_OR_SUBMISSION, runIds, runsText } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { failureOf } from "../run/checked-run.ts";

/** Judges of stored or given answers. */
export const judgeFlag = valueFlag("NAME", "Model that judges, or provider:model; several are a panel", {
  multiple: true,
});

const flags = {
  judge: judgeFlag,
  options: valueFlag("FILE", "Other scoring options of the suite, a JSON object"),
  "no-wait": { type: "boolean", help: "Print the ids of the new runs and exit" },
  json: {
    type: "boolean",
    help: "Print the new runs as one JSON array, as in GET /v1/runs/<id>",
  },
  ...serviceFlags,
} as const;

const startedSchema = submissionSchema.pick({ id: true, runs: true });

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
  exitCodes: {
    1: "A new run failed, was cancelled or paused",
    2: "Invalid input, or the service cannot be reached or refuses the request",
  },
  notes: [
    "Stored judgments cost nothing: a judge is asked only about answers that it has not judged with the same prompt.",
    "--judge takes the place of all judges of the run. To choose one per metric, give --options with judgeOverrides.",
  ],
  examples: [
    "assay rescore run_01a2b3c4 --judge openai:gpt-6-luna",
    "assay rescore sub_01a2b3c4 --judge openai:gpt-6-luna --judge anthropic:claude-opus-5-5",
    "assay rescore run_01a2b3c4 --options strict.json --json",
  ],
  async run(values, given, { stdout, stderr }) {
    const options = { ...readJsonObject(values.options), ...judgesOf(values.judge) };
    const { server, json = false, "no-wait": isHasty = false } = values;
    const lasting = isHasty ? "--no-wait needs one that keeps running" : null;
    await withService({ server, scope: "submit", stderr, lasting }, async (service) => {
      const ids: string[] = [];
      try {
        for (const id of await runIds(service, given)) {
          const { runs } = await rescored(service, id, { options });
          ids.push(...runs.map((run) => run.id));
        }
      } catch (error) {
        if (ids.length > 0) stderr.write(`started: ${ids.join(" ")}\n`);
        throw error;
      }
      const print = (value: unknown, text: string) =>
        void stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
      if (isHasty) return print(ids, ids.join("\n"));
      const advice = `the service continues; assay status ${ids.join(" ")} --wait follows it`;
      const runs = await followSubmission(service, ids, advice, stderr);
      print(runs, [runsText(runs), ...runs.map(originText)].join("\n"));
      const short = runs.flatMap((run) => {
        const why = failureOf(run);
        return why === null ? [] : [`${run.id} ${why}`];
      });
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

/** Starts new runs with a run's answers; gives their submission. */
export async function rescored(service: ServiceClient, id: string, request: object) {
  const path = `/v1/runs/${encodeURIComponent(id)}/rescore`;
  const { value } = await idempotentCall(randomUUID(), (headers) =>
    service.post(path, request, startedSchema, headers),
  );
  return value;
}

const originText = ({ id, parent }: Run): string => `${id}: the answers of ${parent}`;
