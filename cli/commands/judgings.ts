import type { Writable } from "node:stream";
import { type JudgingStudy, judgingStudySchema } from "#shared/contracts/boards/judging-study.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import { judgingName } from "#shared/measures/judging/judging-name.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { command, type Values, valueFlag } from "../command-line/command.ts";
import { intervalText } from "../compare/figure-text.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { withService } from "../local/with-service.ts";
import { followSubmission } from "../remote/follow-runs.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { failureOf } from "../run/checked-run.ts";
import { formatValue } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";
import { textTable } from "../terminal/text-table.ts";
import { rescored } from "./rescore.ts";

const several = { multiple: true } as const;

const flags = {
  judge: valueFlag("NAME", "Model that judges, or provider:model; each is a judging", several),
  strictness: valueFlag("LEVEL", "What judges do where two grades fit", {
    ...several,
    choices: ["lenient", "standard", "strict"],
  }),
  seed: valueFlag("N", "Seed of the requests to judges: repeats the judging", several),
  json: { type: "boolean", help: "Print the study as JSON, as in GET /v1/judgings" },
  ...serviceFlags,
} as const;

/** `assay judgings`: ranks of models in several judgings of the same answers. */
export const judgingsCommand = command({
  name: "judgings",
  summary: "show how much the judging decides",
  description: [
    "Has the stored answers of several models judged by several judges, at several levels of strictness and with several seeds, and prints the ranks in each judging, and which share of their variance is due to models, judgings and samples.",
  ],
  usage: [
    "assay judgings RUN RUN... --judge NAME [--judge NAME] [options]",
    "assay judgings SUBMISSION SUBMISSION... [options]",
  ],
  positionals: [
    {
      name: "id",
      help: "Runs, one a model, on the same samples; or the submissions of an earlier call",
      many: true,
    },
  ],
  flags,
  environment: keyVariable,
  exitCodes: { 1: "A run failed, was cancelled or paused" },
  notes: [
    "Every combination of judge, strictness and seed is a judging, 24 at most; the runs' own judging is added. The new runs are unlisted and on no board. Stored judgments cost nothing, so a call that was interrupted can be repeated.",
    "Longer wins: of pairs of answers to the same sample, the share in which the longer one scores higher.",
  ],
  examples: [
    "assay judgings run_01a2b3c4 run_05d6e7f8 --judge openai:gpt-6-luna --judge anthropic:claude-opus-5-5",
    "assay judgings run_01a2b3c4 run_05d6e7f8 --strictness lenient --strictness strict --seed 1 --seed 2",
  ],
  async run(values, given, { stdout, stderr }) {
    const judgings = judgingsOf(values);
    const isStarted = given.every((id) => id.startsWith("sub_"));
    if (isStarted && judgings.length > 0) {
      throw new BadInput("submissions have their judgings: leave the flags out, or give runs");
    }
    if (!isStarted && judgings.length === 0) {
      throw new BadInput("give the judgings: --judge, --strictness or --seed");
    }
    const { server, json = false } = values;
    await withService({ server, scope: "submit", stderr }, async (service) => {
      const submissions = isStarted ? given : await judged(service, given, judgings, stderr);
      const path = `/v1/judgings?submissions=${submissions.map(encodeURIComponent).join()}`;
      const { value } = await service.get(path, judgingStudySchema);
      const page = `${service.origin}/judgings/?submissions=${submissions.join()}`;
      const text = () => `${studyText(value)}\nPage: ${page}`;
      stdout.write(`${json ? JSON.stringify(value, null, 2) : text()}\n`);
    });
  },
});

/** Every combination of the flags' values, as options of a rescoring. Throws BadInput. */
function judgingsOf({ judge, strictness, seed }: Values<typeof flags>): JsonObject[] {
  const seeds = seed?.map((text) => {
    if (/^\d{1,6}$/.test(text)) return Number(text);
    throw new BadInput(`--seed must be a whole number up to 999999, not "${text}"`);
  });
  const lists = Object.entries({ judge, strictness, judgeSeed: seeds });
  const all = lists.reduce<JsonObject[]>(
    (made, [name, values]) =>
      made.flatMap((one) => values?.map((value) => ({ ...one, [name]: value })) ?? [one]),
    [{}],
  );
  return all.length === 1 && Object.keys(all[0]!).length === 0 ? [] : all;
}

/** Has the answers of runs judged; gives a submission for each. Throws NotPassed if a run fails. */
async function judged(
  service: ServiceClient,
  ids: readonly string[],
  judgings: readonly JsonObject[],
  stderr: Writable,
): Promise<string[]> {
  const started = [];
  for (const id of ids) started.push(await rescored(service, id, { judgings }));
  const submissions = started.map(({ id }) => id);
  const runs = started.flatMap((one) => one.runs.map(({ id }) => id));
  const advice = `the service continues; assay judgings ${submissions.join(" ")} prints the result`;
  const ended = await followSubmission(service, runs, advice, stderr);
  const short = ended.flatMap((run) => failureOf(run) ?? []);
  if (short.length > 0) throw new NotPassed(`a judging ${short[0]}`);
  return submissions;
}

/** A study as text: the ranks, the judgings, and the shares of variance. */
export function studyText(study: JudgingStudy): string {
  const { judgings, models, variance } = study;
  const metric = suiteById(study.suite)?.metrics.find(({ id }) => id === study.metric);
  const names = judgings.map((_, j) => `J${j + 1}`);
  const ranks = models.map(({ model, results, first }) => [
    model.slug,
    ...results.map(({ rank }) => `${rank}`),
    `first in ${first} of ${judgings.length}`,
  ]);
  const values = judgings.map(({ options, longerWins, simulated }, j) => {
    const its = models.map(({ results }) =>
      formatValue(results[j]!.value, metric?.format ?? "score"),
    );
    return [
      names[j]!,
      judgingName(options),
      ...its,
      formatValue(longerWins?.value ?? null, "percent"),
      intervalText(longerWins?.interval ?? null, "percent"),
      simulated ? "simulated" : "",
    ];
  });
  const slugs = models.map(({ model }) => model.slug);
  const head = ["judging", "options", ...slugs, "longer wins", "95% interval", ""];
  const isText = (column: number) => column < 2 || column === head.length - 1;
  const lines = [
    `Ranks by ${metric?.label ?? study.metric} on ${study.samples} samples of ${study.dataset.name}`,
    ...textTable([["model", ...names, ""], ...ranks], (column) => column === 0),
    "",
    ...textTable([head, ...values], isText),
    "",
    variance === null
      ? "All models tie in every judging."
      : `Variance of ranks: models ${percent(variance.models)}, judgings ${percent(variance.judgings)}, samples ${percent(variance.samples)}, both ${percent(variance.both)}`,
  ];
  return lines.map((line) => printable(line).trimEnd()).join("\n");
}

const percent = (share: number): string => formatValue(share, "percent");
