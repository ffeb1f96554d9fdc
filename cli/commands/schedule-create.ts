import type { z } from "zod";
import {
  type newScheduleSchema,
  type ScheduleDetail,
  scheduleDetailSchema,
} from "#shared/contracts/schedule.ts";
import { BadInput } from "../bad-input.ts";
import type { Plan } from "../config/plan.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { askedRun } from "../run/asked-run.ts";
import { endpointKeys, refuseOpen, withEndpointKeys, withoutKeys } from "../run/endpoint-keys.ts";
import { scheduleText } from "../schedule/schedule-text.ts";
import { chosenSuite } from "../score/score-paths.ts";
import { command } from "./command.ts";

/** `assay schedule create`: has a model evaluated again and again. */
export const scheduleCreateCommand = command({
  name: "schedule create",
  summary: "evaluate a model again and again",
  help: `assay schedule create [suite] (--every-hours N | --cron EXPRESSION)
                      [--config FILE] [--model NAME --base-url URL] [options]

Has the service evaluate one model at set times and hold each run against those before, so that a drift is
seen. The model is given as for assay run; the service keeps the endpoint's key, sealed, until the schedule
is deleted.

  --every-hours N     so many hours from one run to the next
  --cron EXPRESSION   five fields in UTC, once an hour at the most: "0 6 * * 1" is Mondays at 6:00
  --note TEXT         what it is for
  [suite]             extraction, slots, tools, quality or memory; without it the file's, else extraction
  --config FILE       a YAML file as for assay run, with one model
  --model NAME        what the endpoint calls the model
  --base-url URL      an OpenAI-compatible endpoint
  --api-key-env NAME  the environment variable that holds the endpoint's key
  --dataset NAME      a dataset of the service, name or name@version
  --sample N          evaluate N samples only; such a run is not ranked
  --seed N            which ones: the same seed draws the same; without it, 0
  --concurrency N     requests at once, 1 to 200
  --unlisted          show the runs to nobody but whoever knows their ids
  ${serverHelp.replace("URL", "URL  ")}
  --json              print what the service answers
  --help              show this

A run begins some minutes after its time, always as many, so that not all schedules begin at once.

${keyHelp}

Examples
  assay schedule create --config assay.yaml --every-hours 24
  assay schedule create extraction --model llama3.1 --base-url http://localhost:11434/v1 --dataset stock \\
    --cron "0 6 * * 1" --note "weekly"`,
  flags: {
    ...serviceFlags,
    "every-hours": { type: "string" },
    cron: { type: "string" },
    note: { type: "string" },
    config: { type: "string" },
    model: { type: "string" },
    "base-url": { type: "string" },
    "api-key-env": { type: "string" },
    dataset: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string" },
    concurrency: { type: "string" },
    unlisted: { type: "boolean" },
    json: { type: "boolean" },
  },
  async run(values, positionals, { stdout, stderr }) {
    const { cron, "every-hours": hours, note, config, model } = values;
    if ((cron === undefined) === (hours === undefined)) {
      throw new BadInput("give --every-hours N or --cron EXPRESSION, one of them");
    }
    const suite = positionals.length > 0 ? chosenSuite(positionals).id : undefined;
    const models = model === undefined ? undefined : [model];
    const { plan } = askedRun(config, { ...values, suite, models }, stderr);
    const rhythm = cron === undefined ? { everyHours: wholeHours(hours ?? "") } : { cron };
    const schedule = await created(values, plan, { ...rhythm, ...(note && { note }) });
    stdout.write(`${values.json ? JSON.stringify(schedule, null, 2) : scheduleText(schedule)}\n`);
  },
});

type NewSchedule = z.input<typeof newScheduleSchema>;

async function created(
  values: { server?: string },
  plan: Plan,
  rest: Pick<NewSchedule, "cron" | "everyHours" | "note">,
): Promise<ScheduleDetail> {
  const service = serviceOf(values, "submit");
  const keys = endpointKeys(plan, process.env);
  const request = withEndpointKeys(plan.request, keys);
  const [model, ...surplus] = request.models;
  if (model === undefined || surplus.length > 0) {
    throw new BadInput(`a schedule has one model, not ${request.models.length}: make one of each`);
  }
  refuseOpen(service.origin, keys);
  const { models: _, ...others } = request;
  const body: NewSchedule = { ...others, model, ...rest };
  const { value } = await withoutKeys(keys, () =>
    service.post("/v1/schedules", body, scheduleDetailSchema),
  );
  return value;
}

function wholeHours(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new BadInput(`--every-hours takes a whole number from 1, not "${text}"`);
}
