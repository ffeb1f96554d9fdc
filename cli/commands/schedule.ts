import { z } from "zod";
import { scheduleDetailSchema, scheduleSchema } from "#shared/contracts/schedule.ts";
import { BadInput } from "../bad-input.ts";
import { everyPage } from "../remote/every-page.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { scheduleText } from "../schedule/schedule-text.ts";
import { schedulesText } from "../schedule/schedules-text.ts";
import { command } from "./command.ts";

const flags = { ...serviceFlags, json: { type: "boolean" } } as const;
const common = `  ${serverHelp}
  --json            print what the service answers
  --help            show this

${keyHelp}`;

/** `assay schedule list`: the schedules of the key's owner. */
export const scheduleListCommand = command({
  name: "schedule list",
  summary: "list your schedules",
  help: `assay schedule list [options]

Your schedules, newest first; for a key with the scope admin those of all owners.

${common}`,
  flags,
  async run(values, positionals, { stdout }) {
    refuseSurplus(positionals);
    const service = serviceOf(values, "submit");
    const schedules = await everyPage(service, "/v1/schedules", "schedules", scheduleSchema);
    const text = values.json ? JSON.stringify({ schedules }, null, 2) : schedulesText(schedules);
    stdout.write(`${text}\n`);
  },
});

/** `assay schedule show`: a schedule with its runs and its log. */
export const scheduleShowCommand = command({
  name: "schedule show",
  summary: "show a schedule with its runs and its log",
  help: `assay schedule show <id> [options]

A schedule, its newest runs, each held against the reference run, and what became of its ticks.
e-value: evidence against no change; from 20 on, and from a difference of 0.01 on, a drift is flagged.

${common}

Examples
  assay schedule show sched_01a2b3c4`,
  flags,
  async run(values, [id, ...surplus], { stdout }) {
    const path = pathOf(id, surplus);
    const { value } = await serviceOf(values, "submit").get(path, scheduleDetailSchema);
    stdout.write(`${values.json ? JSON.stringify(value, null, 2) : scheduleText(value)}\n`);
  },
});

/** Commands that change a schedule and print it. */
const acting = (action: "pause" | "resume" | "run-now", summary: string, what: string) =>
  command({
    name: `schedule ${action}`,
    summary,
    help: `assay schedule ${action} <id> [options]

${what}

${common}

Examples
  assay schedule ${action} sched_01a2b3c4`,
    flags,
    async run(values, [id, ...surplus], { stdout }) {
      const path = `${pathOf(id, surplus)}/${action}`;
      const service = serviceOf(values, "submit");
      const { value } = await service.post(path, undefined, scheduleDetailSchema);
      stdout.write(`${values.json ? JSON.stringify(value, null, 2) : scheduleText(value)}\n`);
    },
  });

/** `assay schedule pause`. */
export const schedulePauseCommand = acting(
  "pause",
  "pause a schedule",
  "Pauses a schedule. A run under way goes on.",
);

/** `assay schedule resume`. */
export const scheduleResumeCommand = acting(
  "resume",
  "go on with a paused schedule",
  "Goes on with a paused schedule at its next tick; what was missed is not made up for.",
);

/** `assay schedule run-now`. */
export const scheduleRunNowCommand = acting(
  "run-now",
  "start a run of a schedule out of turn",
  "Starts a run now, unless one is at work; the next tick stays. A paused schedule can be tried so.",
);

/** `assay schedule delete`. */
export const scheduleDeleteCommand = command({
  name: "schedule delete",
  summary: "delete a schedule with its endpoint's key",
  help: `assay schedule delete <id> [options]

Deletes a schedule, its log and the endpoint's key, for good. Its runs stay, and one under way goes on.

${common}

Examples
  assay schedule delete sched_01a2b3c4`,
  flags,
  async run(values, [id, ...surplus], { stdout }) {
    const path = pathOf(id, surplus);
    await serviceOf(values, "submit").delete(path, z.undefined());
    stdout.write(values.json ? `${JSON.stringify({ deleted: id })}\n` : `${id} is deleted\n`);
  },
});

function pathOf(id: string | undefined, surplus: readonly string[]): string {
  if (id === undefined) {
    throw new BadInput("name the schedule by its id; assay schedule list has them");
  }
  refuseSurplus(surplus);
  return `/v1/schedules/${encodeURIComponent(id)}`;
}

function refuseSurplus([surplus]: readonly string[]): void {
  if (surplus !== undefined) throw new BadInput(`"${surplus}" is too much`);
}
