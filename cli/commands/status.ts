import type { Writable } from "node:stream";
import { z } from "zod";
import { judgeModelsSchema } from "#shared/contracts/judging/judge-model.ts";
import { type Run, runSchema } from "#shared/contracts/run.ts";
import { command, jsonFlag } from "../command-line/command.ts";
import { NotPassed } from "../errors.ts";
import { onTermination } from "../files/on-termination.ts";
import { withService } from "../local/with-service.ts";
import { followRuns, runBars } from "../remote/follow-runs.ts";
import { RUN_OR_SUBMISSION, runIds, runsOf, runsText } from "../remote/runs-text.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { ServiceError } from "../remote/service-error.ts";
import { keyVariable, serviceCommand, serviceFlags } from "../remote/service-flags.ts";
import { failureOf } from "../run/checked-run.ts";
import { notesOf } from "../run/run-notes.ts";
import { printable } from "../terminal/text.ts";

const flags = {
  ...serviceFlags,
  wait: {
    type: "boolean",
    help: "Wait until every run has finished, failed, paused or was cancelled",
  },
  json: jsonFlag(z.array(runSchema), "Print the runs as one JSON array, as in GET /v1/runs/<id>"),
} as const;

/** Number of newest submissions that are listed without an id. */
const LISTED = 10;

/** `assay status`: progress and scores of runs. */
export const statusCommand = command({
  name: "status",
  summary: "show progress and scores of runs of a service",
  description: [
    `Prints the progress of runs of a service and their scores. Without ids, prints the runs of the ${LISTED} newest submissions that assay run made at this service on this machine (notes in .assay), newest first. Starts a service on this machine if none is running.`,
  ],
  positionals: [{ name: "id", help: RUN_OR_SUBMISSION, many: true, optional: true }],
  flags,
  environment: keyVariable,
  exitCodes: { 1: "With --wait: a run failed, paused, was cancelled or had no request answered" },
  notes: ["Unlisted runs are visible to anyone who has their ids."],
  examples: [
    "assay status",
    "assay status sub_01a2b3c4 --wait",
    "assay status run_01a2b3c4 run_05d6e7f8 --json",
  ],
  async run(values, positionals, { stdout, stderr }) {
    const { server, wait = false, json = false } = values;
    const given = positionals.filter((id) => id !== undefined);
    await withService({ server, scope: "submit", stderr }, async (service) => {
      const ids = given.length === 0 ? await ownRuns(service) : await runIds(service, given);
      if (wait) await waitFor(service, ids, stderr);
      const runs = await runsOf(service, ids);
      const text =
        runs.length === 0
          ? `no run at ${service.origin} is known here; assay run makes one, and shows its id`
          : runsText(runs, stdout);
      stdout.write(`${json ? flags.json.text(runs) : text}\n`);
      for (const warning of await judgeWarnings(service, runs))
        stderr.write(`${printable(warning)}\n`);
      const short = runs.flatMap((run) => {
        const why = failureOf(run);
        return why === null ? [] : [`${run.id} ${why}`];
      });
      if (wait && short.length > 0) throw new NotPassed(short.join("; "));
    });
  },
});

/** Ids of runs in the notes of assay run, without deleted runs. */
async function ownRuns(service: ServiceClient): Promise<string[]> {
  const made = notesOf(service.origin, null).flatMap(({ submission }) => submission ?? []);
  const runs = made.slice(0, LISTED).map(async (id) => {
    try {
      return (await runsOf(service, await runIds(service, [id]))).map((run) => run.id);
    } catch (error) {
      if (error instanceof ServiceError && error.prospects.status === 404) return [];
      throw error;
    }
  });
  return (await Promise.all(runs)).flat();
}

/** Warnings of judges that are or will be shut down. An older service does not list judges. */
async function judgeWarnings(service: ServiceClient, runs: readonly Run[]): Promise<string[]> {
  const judging = runs.flatMap((run) => Object.values(run.judging?.judges ?? {}));
  const models = new Set(judging.flatMap(({ routes }) => routes.map(({ model }) => model)));
  if (models.size === 0) return [];
  const listed = await service.get("/v1/judges", judgeModelsSchema).catch(() => null);
  const judges = listed?.judges.filter(({ model }) => models.has(model)) ?? [];
  return judges.flatMap(({ warning }) => warning ?? []);
}

async function waitFor(service: ServiceClient, ids: readonly string[], stderr: Writable) {
  const bars = runBars(stderr);
  const release = onTermination(bars.clear);
  try {
    await followRuns(service, ids, bars.show);
  } finally {
    release();
    bars.clear();
  }
}

/** `assay cancel`: cancels runs. */
export const cancelCommand = serviceCommand({
  name: "cancel",
  summary: "cancel runs of a service",
  description: [
    "Cancels runs of a service permanently. Answers received until then are kept; assay status shows them.",
  ],
  positionals: [{ name: "id", help: RUN_OR_SUBMISSION, many: true }],
  exitCodes: {
    0: "All are cancelled",
    2: "Invalid input, a run that has already ended, or the service cannot be reached or refuses the request",
  },
  notes: ["If the service requires keys, the key of the runs' owner is needed."],
  examples: [
    "assay cancel run_01a2b3c4",
    "assay cancel sub_01a2b3c4 --server https://assay.example.com",
  ],
  scope: "submit",
  result: z.array(runSchema),
  resultHelp: "Print the runs as one JSON array, as in GET /v1/runs/<id>",
  async call(service, _, positionals) {
    const runs = [];
    for (const id of await runIds(service, positionals)) {
      const path = `/v1/runs/${encodeURIComponent(id)}/cancel`;
      runs.push(await service.post(path, {}, runSchema));
    }
    return runs;
  },
  text: (runs, _, __, { stdout }) => runsText(runs, stdout),
});
