import { z } from "zod";
import { metricSchema } from "./metric.ts";
import type { ReportBlock, ReportSection, ShownSample } from "./report.ts";
import {
  type ListedRun,
  listedRunSchema,
  listedSampleSchema,
  sampleResultSchema,
  sampleRowSchema,
} from "./run.ts";
import { runPointsSchema } from "./runs/run-points.ts";

const pickSchema = runPointsSchema.shape.picks.element
  .pick({ kind: true, reason: true, repeat: true })
  .extend({ repeat: z.int().meta({ description: "index of the repeat of its sample, from 0" }) });

/** Notable answers of a run, in full. */
export const highlightsSchema = z
  .object({
    samples: z.array(pickSchema.extend({ result: sampleResultSchema })).meta({
      description: "samples of the run's `points.picks`; empty after the raw answers are deleted",
    }),
  })
  .meta({ id: "Highlights" });
export type Highlights = z.infer<typeof highlightsSchema>;
export type Highlight = Highlights["samples"][number];

/** A suite as reports name it: enough to label every number without the suite's code. */
const reportSuiteSchema = z.object({
  id: z.string(),
  label: z.string(),
  question: z.string(),
  headline: z.string(),
  boardMetrics: z.array(z.string()).describe("ids of the metrics, in the order of a board"),
  metrics: z.array(metricSchema),
  caution: z.object({ text: z.string(), anchor: z.string() }).nullable().meta({
    description: "caution for readers of the headline; null: none",
  }),
  /** Names of its judges; empty if no judge is called. */
  judges: z.array(z.object({ id: z.string(), label: z.string() })),
  listed: z
    .object({
      metrics: z.array(z.string()),
      part: z.string(),
      verdicts: z.array(z.string()),
      patterns: z.array(z.string()),
    })
    .optional()
    .describe(
      "for lists of samples: metrics of a sample, name of a judged part, verdicts and error patterns of parts",
    ),
});
export type ReportSuite = z.infer<typeof reportSuiteSchema>;

/** The data of a run's report page. */
export interface RunReport {
  run: ListedRun;
  suite: ReportSuite;
  /** The first is "summary", the last "recommendations" if the suite has any; empty until the run is finished. */
  sections: ReportSection[];
  samples: ShownSample[];
  /** Number of sources of its samples; missing if every sample has its own source. */
  sources?: number | undefined;
  /** Whether its dataset has a board; missing if unknown. */
  hasBoard?: boolean | undefined;
}

/** Description of each kind of block, for the API. */
const blockKinds: Record<ReportBlock["kind"], string> = {
  gauge: "a value on a scale with named zones",
  stack: "parts of a whole",
  bars: "values side by side, with intervals",
  line: "a value that depends on another one",
  table: "rows of text and numbers",
  note: "a sentence or two",
  radar: "values 0–1 on axes from one centre",
  scatter: "things in two quantities",
  histogram: "how often values fall between two bounds",
  matrix: "values by two names",
  boxes: "the five numbers of distributions",
  tree: "counts in two levels",
  series: "values over time",
  text: "text as it is, with marked passages (UTF-16 units)",
  fields: "expected and answered values side by side",
  advice: "what to do next, with the figure on which it is based",
};

const kindsText = Object.entries(blockKinds).map(([kind, what]) => `\`${kind}\`: ${what}`);

/** `ReportBlock` has the types; readers of the API see the fields of a kind in the examples. */
const blockSchema = z
  .looseObject({ kind: z.enum(Object.keys(blockKinds)), title: z.string() })
  .meta({
    id: "ReportBlock",
    description: `A part of a report as data, with fields by its kind. ${kindsText.join("; ")}`,
  }) as unknown as z.ZodType<ReportBlock>;

const shownSampleSchema = sampleRowSchema
  .pick({ id: true, status: true, score: true })
  .extend({ ...pickSchema.shape, blocks: z.array(blockSchema) });

const lossSchema = z.object({
  label: z.string(),
  count: z.number(),
  unit: z.string().meta({ description: "name of the counted things" }),
  samples: z.record(z.string(), z.string()).meta({
    description: "query parameters of `/samples` that select the lost samples; empty: not possible",
  }),
});

/** Describes a `RunReport`. */
export const runReportSchema = z
  .object({
    run: listedRunSchema,
    suite: reportSuiteSchema,
    sections: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          intro: z.string(),
          blocks: z.array(blockSchema),
          losses: z.array(lossSchema).optional().meta({
            description: "largest losses of the section, most first; missing: none shown",
          }),
        }),
      )
      .meta({ description: "sections of the report; empty until the run is finished" }),
    samples: z.array(shownSampleSchema).describe("notable samples of the run, with their blocks"),
    sources: z.int().optional().describe("number of sources; missing: one per sample"),
    hasBoard: z.boolean().optional().describe("whether the dataset has a board; missing: unknown"),
  })
  .meta({ id: "RunReport" }) satisfies z.ZodType<RunReport>;

/** One sample of a run as its suite shows it. */
export const sampleReportSchema = z
  .object({
    sample: listedSampleSchema.extend({ repeat: pickSchema.shape.repeat }),
    blocks: z.array(blockSchema).describe("blocks with all judged parts, errors first"),
    texts: z.array(blockSchema).optional().meta({
      description:
        "texts sent and received, up to 100,000 characters each: answer, thoughts, prompt, schema, request body",
    }),
  })
  .meta({ id: "SampleReport" });
export type SampleReport = z.infer<typeof sampleReportSchema>;
