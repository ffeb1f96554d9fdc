import type { z } from "zod";
import { datasetVisibilitySchema } from "#shared/contracts/datasets/dataset.ts";
import {
  type newScheduleSchema,
  type ScheduleDetail,
  scheduleDetailSchema,
} from "#shared/contracts/schedules/schedule.ts";
import { command, jsonFlag, type Values, valueFlag } from "../command-line/command.ts";
import { suiteOfRun } from "../command-line/suite-choice.ts";
import type { Plan } from "../config/plan.ts";
import { mappingOf } from "../dataset/row-mapping.ts";
import { BadInput } from "../errors.ts";
import { scheduleText } from "../remote/schedules-text.ts";
import { keyVariable, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import {
  endpointKeys,
  refuseUnencrypted,
  withEndpointKeys,
  withoutKeys,
} from "../run/endpoint-keys.ts";
import { isDatasetFile } from "../run/fit-request.ts";
import { requestedRun } from "../run/requested-run.ts";
import { runFlags } from "./run.ts";

const STREAM = "A stream: a new version of the dataset at each run";

const streamFlags = {
  stream: valueFlag("URL", "JSON Lines, plain or gzip, from which the service draws samples", {
    section: STREAM,
  }),
  "stream-ratings-of": valueFlag(
    "DATASET",
    "Instead of --stream: samples of this dataset whose answers people rated in your runs, with the ratings",
    { section: STREAM },
  ),
  "stream-sample": valueFlag("N", "New samples of each version, 1 to 900; required", {
    section: STREAM,
  }),
  "stream-anchor": valueFlag("N", "Samples that every version keeps: 0, or 20 to 100", {
    section: STREAM,
    default: "50",
  }),
  "stream-keep": valueFlag("N", "Newest versions whose rows and answers are kept", {
    section: STREAM,
    default: "30",
  }),
  "stream-mapping": valueFlag("FILE", "YAML with map and tags, as for assay dataset import", {
    section: STREAM,
  }),
  "stream-visibility": valueFlag("LEVEL", "Who can see the versions", {
    section: STREAM,
    choices: datasetVisibilitySchema.options,
    default: "unlisted",
  }),
  "stream-authorization-env": valueFlag(
    "NAME",
    "Environment variable that holds the authorization header for --stream",
    { section: STREAM },
  ),
} as const;

const flags = {
  "every-hours": valueFlag("N", "Hours between two runs"),
  cron: valueFlag(
    "EXPRESSION",
    'Five fields in UTC, at most once an hour: "0 6 * * 1" is Mondays at 6:00',
  ),
  note: valueFlag("TEXT", "Purpose of the schedule"),
  config: valueFlag("FILE", "YAML file as for assay run, with one model"),
  model: valueFlag("NAME", "Name of the model at the endpoint"),
  ...runFlags,
  ...streamFlags,
  ...serviceFlags,
  json: jsonFlag(scheduleDetailSchema),
} as const;

/** `assay schedule create`: evaluates a model on a schedule. */
export const scheduleCreateCommand = command({
  name: "schedule create",
  summary: "evaluate a model on a schedule",
  description: [
    "Evaluates one model on a schedule and compares each run with earlier ones to detect drift. The model is given as for assay run. The service stores the endpoint's key encrypted until the schedule is deleted.",
  ],
  usage: [
    "assay schedule create [suite] --every-hours N [options]",
    "assay schedule create [suite] --cron EXPRESSION [options]",
  ],
  positionals: [suiteOfRun],
  flags,
  environment: keyVariable,
  notes: [
    "A run starts a few minutes after its scheduled time, always with the same delay, so that schedules do not all start at once.",
  ],
  examples: [
    "assay schedule create --config assay.yaml --every-hours 24",
    "assay schedule create extraction --model llama3.1 --base-url http://localhost:11434/v1 \\",
    '  --dataset stock --cron "0 6 * * 1" --note "weekly"',
    "assay schedule create extraction --model llama3.1 --dataset acme/requests --every-hours 24 \\",
    "  --stream https://logs.example.com/yesterday.jsonl.gz --stream-sample 200",
  ],
  async run(values, [suite], { stdout, stderr }) {
    const { cron, "every-hours": hours, note, config, model } = values;
    if ((cron === undefined) === (hours === undefined)) {
      throw new BadInput("give either --every-hours N or --cron EXPRESSION");
    }
    const models = model === undefined ? undefined : [model];
    const asked = requestedRun(config, { ...values, suite, models }, stderr).plan;
    const { dataset } = asked.request;
    if (isDatasetFile(dataset))
      throw new BadInput(
        `a schedule evaluates a dataset of the service: assay dataset import ${dataset} --name NAME stores it there`,
      );
    const { reuseAnswers, ...options } = asked.request.options ?? {};
    if (reuseAnswers === true) {
      stderr.write("enable_caching has no effect: a schedule asks the model each time\n");
    }
    const plan = { ...asked, request: { ...asked.request, options } };
    const timing = cron === undefined ? { everyHours: wholeHours(hours ?? "") } : { cron };
    const stream = streamOf(values);
    const rest = { ...timing, ...(note && { note }), ...(stream && { stream }) };
    const schedule = await created(values, plan, rest);
    stdout.write(`${values.json ? flags.json.text(schedule) : scheduleText(schedule)}\n`);
  },
});

function wholeHours(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new BadInput(`--every-hours must be a whole number from 1, not "${text}"`);
}

/** The stream of the flags; null without any. Throws BadInput. */
function streamOf(values: Values<typeof flags>): NewSchedule["stream"] | null {
  const { stream: url, "stream-ratings-of": ratingsOf, "stream-sample": sample } = values;
  const [alone] = Object.keys(streamFlags).filter((name) => values[name as keyof typeof values]);
  if (url === undefined && ratingsOf === undefined) {
    if (alone === undefined) return null;
    throw new BadInput(`--${alone} applies only with --stream URL or --stream-ratings-of DATASET`);
  }
  if (sample === undefined) throw new BadInput("a stream needs --stream-sample N");
  const { "stream-anchor": anchor, "stream-keep": keep, "stream-mapping": mapping } = values;
  const variable = values["stream-authorization-env"];
  const authorization = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && !authorization) {
    throw new BadInput(`--stream-authorization-env: ${variable} is not set`);
  }
  return {
    ...(url !== undefined && { url }),
    ...(ratingsOf !== undefined && { ratingsOf }),
    samplesPerVersion: Number(sample),
    ...(anchor !== undefined && { anchor: Number(anchor) }),
    ...(keep !== undefined && { keepVersions: Number(keep) }),
    ...(mapping !== undefined && { mapping: mappingOf({ mapping })!.text }),
    ...(authorization !== undefined && { authorization }),
    visibility: datasetVisibilitySchema.parse(values["stream-visibility"] ?? "unlisted"),
  };
}

type NewSchedule = z.input<typeof newScheduleSchema>;

async function created(
  values: Values<typeof flags>,
  plan: Plan,
  rest: Pick<NewSchedule, "cron" | "everyHours" | "note" | "stream">,
): Promise<ScheduleDetail> {
  if (plan.targets.some((target) => target !== null)) {
    throw new BadInput(
      "a schedule needs an endpoint: the service calls it, and can't start a program (exec) or use a template (http)",
    );
  }
  const service = serviceOf(values, "submit");
  const ofEndpoint = endpointKeys(plan, process.env);
  const { authorization } = rest.stream ?? {};
  const keys = {
    ...ofEndpoint,
    all: [...ofEndpoint.all, ...(authorization ? [authorization] : [])],
  };
  const request = withEndpointKeys(plan.request, keys);
  const [model, ...surplus] = request.models;
  if (model === undefined || surplus.length > 0) {
    throw new BadInput(
      `a schedule has one model, not ${request.models.length}: create one for each`,
    );
  }
  refuseUnencrypted(service.origin, keys);
  const { models: _, ...others } = request;
  const body: NewSchedule = { ...others, model, ...rest };
  return withoutKeys(keys, () => service.post("/v1/schedules", body, scheduleDetailSchema));
}
