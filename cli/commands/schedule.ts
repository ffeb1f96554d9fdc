import { z } from "zod";
import { scheduleDetailSchema, scheduleSchema } from "#shared/contracts/schedules/schedule.ts";
import { schedulesText, scheduleText } from "../remote/schedules-text.ts";
import { everyPage } from "../remote/service-client.ts";
import { serviceCommand } from "../remote/service-flags.ts";

const scope = "submit";
/** Common parts of commands on one schedule. */
const ofOne = {
  scope,
  positionals: [{ name: "id", help: "Id of the schedule; assay schedule list prints the ids" }],
} as const;

const list = serviceCommand({
  name: "schedule list",
  summary: "list your schedules",
  description: [
    "Lists your schedules, newest first; with a key with the scope admin, the schedules of all owners.",
  ],
  scope,
  result: z.object({ schedules: z.array(scheduleSchema) }),
  call: async (service) => ({
    schedules: await everyPage(service, "/v1/schedules", "schedules", scheduleSchema),
  }),
  text: ({ schedules }) => schedulesText(schedules),
});

const show = serviceCommand({
  name: "schedule show",
  summary: "show a schedule with its runs and its log",
  description: [
    "Shows a schedule, its newest runs, each compared with the reference run, and the results of its ticks. The e-value is evidence against no change; drift is flagged from an e-value of 20 and a difference of 0.01.",
  ],
  ...ofOne,
  examples: ["assay schedule show sched_01a2b3c4"],
  result: scheduleDetailSchema,
  call: (service, _, [scheduleId]) => service.get(pathOf(scheduleId), scheduleDetailSchema),
  text: scheduleText,
});

/** Commands that change a schedule and print it. */
const actionCommand = (
  action: "pause" | "resume" | "run-now",
  summary: string,
  description: string,
) =>
  serviceCommand({
    name: `schedule ${action}`,
    summary,
    description: [description],
    ...ofOne,
    examples: [`assay schedule ${action} sched_01a2b3c4`],
    result: scheduleDetailSchema,
    call: (service, _, [scheduleId]) =>
      service.post(`${pathOf(scheduleId)}/${action}`, undefined, scheduleDetailSchema),
    text: scheduleText,
  });

const remove = serviceCommand({
  name: "schedule delete",
  summary: "delete a schedule and its endpoint's key",
  description: [
    "Deletes a schedule, its log and the endpoint's key permanently. Its runs are kept, and an active one continues.",
  ],
  ...ofOne,
  examples: ["assay schedule delete sched_01a2b3c4"],
  result: z.object({ deleted: z.string() }),
  async call(service, _, [scheduleId]) {
    await service.delete(pathOf(scheduleId), z.undefined());
    return { deleted: scheduleId };
  },
  text: ({ deleted }) => `${deleted} deleted`,
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
