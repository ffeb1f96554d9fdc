import { z } from "zod";
import { scheduleDetailSchema, scheduleSchema } from "#shared/contracts/schedules/schedule.ts";
import { command, jsonFlag } from "../command-line/command.ts";
import { everyPage } from "../remote/every-page.ts";
import { schedulesText, scheduleText } from "../remote/schedules-text.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";

const environment = keyVariable;
const listFlags = {
  ...serviceFlags,
  json: jsonFlag(z.object({ schedules: z.array(scheduleSchema) })),
} as const;
const flags = { ...serviceFlags, json: jsonFlag(scheduleDetailSchema) } as const;
const deletedFlags = {
  ...serviceFlags,
  json: jsonFlag(z.object({ deleted: z.string() })),
} as const;
/** What commands on one schedule have in common. */
const ofOne = {
  environment,
  positionals: [{ name: "id", help: "Id of the schedule; assay schedule list prints the ids" }],
} as const;

const list = command({
  name: "schedule list",
  summary: "list your schedules",
  description: [
    "Lists your schedules, newest first; with a key of scope admin, those of all owners.",
  ],
  flags: listFlags,
  environment,
  async run(values, _, { stdout }) {
    const service = serviceOf(values, "submit");
    const schedules = await everyPage(service, "/v1/schedules", "schedules", scheduleSchema);
    const text = values.json ? listFlags.json.text({ schedules }) : schedulesText(schedules);
    stdout.write(`${text}\n`);
  },
});

const show = command({
  name: "schedule show",
  summary: "show a schedule with its runs and its log",
  description: [
    "Shows a schedule, its newest runs, each compared with the reference run, and the results of its ticks. The e-value is evidence against no change; drift is flagged from an e-value of 20 and a difference of 0.01.",
  ],
  ...ofOne,
  flags,
  examples: ["assay schedule show sched_01a2b3c4"],
  async run(values, [scheduleId], { stdout }) {
    const path = pathOf(scheduleId);
    const { value } = await serviceOf(values, "submit").get(path, scheduleDetailSchema);
    stdout.write(`${values.json ? flags.json.text(value) : scheduleText(value)}\n`);
  },
});

/** Commands that change a schedule and print it. */
const actionCommand = (
  action: "pause" | "resume" | "run-now",
  summary: string,
  description: string,
) =>
  command({
    name: `schedule ${action}`,
    summary,
    description: [description],
    ...ofOne,
    flags,
    examples: [`assay schedule ${action} sched_01a2b3c4`],
    async run(values, [scheduleId], { stdout }) {
      const service = serviceOf(values, "submit");
      const path = `${pathOf(scheduleId)}/${action}`;
      const { value } = await service.post(path, undefined, scheduleDetailSchema);
      stdout.write(`${values.json ? flags.json.text(value) : scheduleText(value)}\n`);
    },
  });

const remove = command({
  name: "schedule delete",
  summary: "delete a schedule and its endpoint's key",
  description: [
    "Deletes a schedule, its log and the endpoint's key permanently. Its runs are kept, and an active one continues.",
  ],
  ...ofOne,
  flags: deletedFlags,
  examples: ["assay schedule delete sched_01a2b3c4"],
  async run(values, [scheduleId], { stdout }) {
    await serviceOf(values, "submit").delete(pathOf(scheduleId), z.undefined());
    const text = values.json
      ? deletedFlags.json.text({ deleted: scheduleId })
      : `${scheduleId} deleted`;
    stdout.write(`${text}\n`);
  },
});

/** `assay schedule`, except `create`. */
export const scheduleCommands = [
  list,
  show,
  actionCommand(
    "run-now",
    "start a run of a schedule now",
    "Starts a run now, unless one is active; the next tick does not change. This also works for paused schedules.",
  ),
  actionCommand("pause", "pause a schedule", "Pauses a schedule. An active run continues."),
  actionCommand(
    "resume",
    "resume a paused schedule",
    "Resumes a paused schedule at its next tick; missed ticks are not repeated.",
  ),
  remove,
];

const pathOf = (scheduleId: string): string => `/v1/schedules/${encodeURIComponent(scheduleId)}`;
