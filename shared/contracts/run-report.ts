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
      description: "as in the run's `points.picks`; empty after the raw answers are deleted",
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
  boardMetrics: z.array(z.string()).meta({ description: "ids, in a board's order" }),
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
    .meta({
      description:
        "lists of samples: metrics of a sample, the name of a judged part, and the verdicts and error patterns of parts",
    }),
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
  unit: z.string().meta({ description: "what is counted" }),
  samples: z.record(z.string(), z.string()).meta({
    description: "parameters of the list of samples that select its samples; empty: none do",
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
            description: "where a section shows what went wrong: the largest losses, most first",
          }),
        }),
      )
      .meta({ description: "empty until the run is finished" }),
    samples: z.array(shownSampleSchema).meta({ description: "metrics among its highlights" }),
    sources: z.int().optional().meta({ description: "missing if samples share none" }),
    hasBoard: z.boolean().optional().meta({ description: "whether its dataset has a board" }),
  })
  .meta({ id: "RunReport" }) satisfies z.ZodType<RunReport>;

/** One sample of a run as its suite shows it. */
export const sampleReportSchema = z
  .object({
    sample: listedSampleSchema.extend({ repeat: pickSchema.shape.repeat }),
    blocks: z.array(blockSchema).meta({ description: "errors first, with all judged parts" }),
    texts: z.array(blockSchema).optional().meta({
      description:
        "what was sent and received, unchanged up to 100,000 characters each: answer, thoughts, prompt, schema, body of the request",
    }),
  })
  .meta({ id: "SampleReport" });
export type SampleReport = z.infer<typeof sampleReportSchema>;
