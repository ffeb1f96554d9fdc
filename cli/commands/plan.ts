import { z } from "zod";
import { testedUnitsSchema } from "#shared/contracts/boards/comparison.ts";
import { metricSchema } from "#shared/contracts/metric.ts";
import { samplePlan } from "#shared/measures/comparison/sample-plan.ts";
import { roughBelow } from "#shared/measures/report/figures/interval-basis.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { runsComparison } from "../compare/runs-comparison.ts";
import { BadInput } from "../errors.ts";
import { withService } from "../local/with-service.ts";
import { runsOf } from "../remote/runs-text.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { formatCount, formatValue, textTable } from "../terminal/text.ts";

/** Default differences. */
const USUAL = [0.01, 0.02, 0.05, 0.1];
const MAX_DIFFERENCES = 20;
const LEAST_DIFFERENCE = 1e-6;

const planSchema = z.object({
  metric: metricSchema,
  samples: z.int(),
  units: z.int().meta({ description: "samples, or sources of samples, that it follows from" }),
  kind: testedUnitsSchema.shape.kind,
  dataset: z.string(),
  planned: z.array(
    z.object({
      difference: z.number(),
      least: z.int().meta({ description: "samples needed, by the most similar pair of runs" }),
      most: z.int().meta({ description: "samples needed, by the least similar pair of runs" }),
      usd: z.number().nullable().meta({ description: "of one model's answers; null: not known" }),
    }),
  ),
});
type Plan = z.infer<typeof planSchema>;

const flags = {
  difference: valueFlag(
    "N",
    "Difference to detect, in the unit of the metric (default: 0.01, 0.02, 0.05, 0.1)",
    {
      multiple: true,
    },
  ),
  ...serviceFlags,
  json: jsonFlag(planSchema, "Print the plan as one JSON object"),
} as const;

/** `assay plan`: number and cost of the samples that distinguish two models. */
export const planCommand = command({
  name: "plan",
  summary: "calculate how many samples are needed to detect a difference",
  description: [
    "Calculates how many samples are needed to detect that two models differ by 0.02, 0.05 and so on, in 80% of cases at the 5% level. The number depends on how much the scores of models on the dataset differ from sample to sample; it is estimated from two or more finished runs.",
  ],
  positionals: [{ name: "run", help: "At least two finished runs of one board", many: true }],
  flags,
  environment: keyVariable,
  notes: [
    "A range covers all pairs of runs: models that fail on the same samples need fewer.",
    "The cost is for the answers of one model, from the runs with known prices. Judgments are not included.",
    "If a dataset has fewer samples, each can be asked several times (option repeats). This reduces the variance between answers to a sample, not the variance between samples.",
  ],
  examples: [
    "assay plan run_01a2b3c4 run_05d6e7f8",
    "assay plan run_01a2b3c4 run_05d6e7f8 --difference 0.03 --json",
  ],
  async run(values, runs, { stdout, stderr }) {
    const differences = differencesOf(values.difference);
    const ids = [...new Set(runs)].sort();
    if (ids.length < 2) throw new BadInput("give two or more different runs of one board");
    const plan = await withService(
      { server: values.server, scope: "submit", stderr },
      async (service) => {
        const { suite, comparison } = await runsComparison(service, ids);
        const [headline] = comparison.metrics;
        const metric = suite.metrics.find(({ id }) => id === headline?.metric);
        if (headline === undefined || metric === undefined) {
          throw new BadInput("these runs have no sample in common");
        }
        const costs = (await runsOf(service, ids)).flatMap(({ metrics, options }) => {
          const ofAnswers = metrics?.["costPer1kUsd"]?.value ?? null;
          const { repeats = 1 } = options;
          return ofAnswers === null ? [] : [ofAnswers * Number(repeats)];
        });
        const planned = samplePlan(headline, differences);
        return {
          metric,
          samples: headline.samples,
          units: headline.units.count,
          kind: headline.units.kind,
          dataset: comparison.dataset.name,
          planned: planned.map((one) => ({
            ...one,
            usd: costs.length === 0 ? null : (Math.max(...costs) * one.most) / 1000,
          })),
        };
      },
    );
    stdout.write(`${values.json ? flags.json.text(plan) : planText(plan)}\n`);
  },
});

/** Throws BadInput. */
function differencesOf(given: readonly string[] | undefined): number[] {
  if (given === undefined) return USUAL;
  const differences = given.flatMap((one) => one.split(",")).map(Number);
  const isGood = (one: number) => one >= LEAST_DIFFERENCE && one < 1;
  if (differences.every(isGood) && differences.length <= MAX_DIFFERENCES) {
    return differences.sort((a, b) => a - b);
  }
  throw new BadInput(
    `--difference must be up to ${MAX_DIFFERENCES} numbers from 0.000001 to below 1, such as 0.02, not "${given.join(",")}"`,
  );
}

function planText({ metric, samples, units, kind, dataset, planned }: Plan): string {
  if (planned.length === 0) {
    return "No two of these runs have differences that vary from sample to sample: nothing says how many samples it takes.";
  }
  const rows = planned.map(({ difference, least, most, usd }) => [
    `${difference}`,
    least === most ? formatCount(most) : `${formatCount(least)} to ${formatCount(most)}`,
    most <= samples ? "yes" : least <= samples ? "for some pairs" : "no",
    usd === null ? "not known" : formatValue(usd, "usd"),
  ]);
  const head = [
    `${metric.label} differs by`,
    "samples needed",
    samples === 1 ? "Is 1 enough?" : `Are ${formatCount(samples)} enough?`,
    "USD a model",
  ];
  return [
    `Samples needed to detect a difference between two models on dataset ${dataset}, in 80% of cases:`,
    ...textTable([head, ...rows], () => false),
    ...(units < roughBelow
      ? [
          `Based on ${units} ${kind === "samples" ? "samples" : "sources"}: with fewer than ${roughBelow}, this is rough.`,
        ]
      : []),
  ].join("\n");
}
