import { extname } from "node:path";
import { z } from "zod";
import { type Comparison, comparisonSchema } from "#shared/contracts/boards/comparison.ts";
import { pricesSchema } from "#shared/contracts/submissions/prices.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { csvRecord } from "#shared/contracts/text/csv.ts";
import { BadInput } from "../errors.ts";
import { type OutputFile, openOutput } from "../files/output-file.ts";
import { gateSchema } from "../gate/gate.ts";
import { loadComparisonPage, type PageOfComparison } from "../report/load-page.ts";
import { datasetNotesShape, notesJson } from "../score/summary-json.ts";
import { printable } from "../terminal/text.ts";
import type { ComparedFiles } from "./compare-paths.ts";
import type { PartedText, PartTable } from "./comparison-parts.ts";

const PAGE = ".html";

/** Formats that are texts. */
const writers: Record<string, (shown: ShownComparison) => string> = {
  ".md": ({ text }) => markdownDocument(text),
  ".json": ({ json }) => `${JSON.stringify(json, null, 2)}\n`,
  ".csv": ({ comparison }) => comparisonCsv(comparison),
};

const columns = [
  "record",
  "metric",
  "better",
  "samples",
  "a",
  "b",
  "value",
  "low",
  "high",
  "rank_low",
  "rank_high",
  "p_best",
  "tie_group",
  "p_t_holm",
  "p_wilcoxon_holm",
  "cohens_d",
  "dz",
  "win_rate",
  "significant_at",
] as const;

const gatesShape = {
  gates: z.array(gateSchema).exactOptional().meta({ description: "only with --non-inferior" }),
};

const filesSchema = comparisonSchema.extend({
  suiteVersion: z.string(),
  options: z.unknown().meta({ description: "scoring options of the suite" }),
  seed: z.string().meta({ description: "of the resamples: a hash of samples and answers" }),
  dataset: comparisonSchema.shape.dataset.extend(datasetNotesShape),
  runs: z.array(
    comparisonSchema.shape.runs.element.extend({
      missing: z.int().meta({ description: "samples without a row" }),
      unscored: z.int(),
      prices: pricesSchema.nullable(),
    }),
  ),
});

/** Output of `assay compare --json`: a comparison of runs, or of files with more keys. */
export const shownComparisonSchema = z.union([
  filesSchema.extend(gatesShape),
  comparisonSchema.extend(gatesShape),
]);

/** A comparison in every format. */
export interface ShownComparison extends PageOfComparison {
  json: z.infer<typeof shownComparisonSchema>;
  text: PartedText;
}

/**
 * Opens a file, in the format of its extension, before anything is compared. Throws BadInput if the file can't be
 * written, or if a page is wanted and the site is not installed.
 */
export async function comparisonFile(path: string, inputs: readonly string[]) {
  const extension = extname(path).toLowerCase();
  const write = extension === PAGE ? await loadComparisonPage() : writers[extension];
  if (write === undefined) {
    const known = [PAGE, ...Object.keys(writers)].join(", ");
    throw new BadInput(`--output must be a file that ends in ${known}, not "${path}"`);
  }
  let file: OutputFile | null = openOutput(path, inputs);
  return {
    write(shown: ShownComparison): void {
      // A line break is added after each text.
      file?.add(write(shown).replace(/\n$/, ""));
      file?.complete();
      file = null;
    },
    /** Keeps the previous file; does nothing once the new one is written. */
    abandon: () => file?.abandon(),
  };
}

/** A document in GitHub's Markdown. */
export function markdownDocument({ title, about, parts }: PartedText): string {
  const sections = parts.flatMap((part) => [
    `## ${escaped(part.title)}`,
    tableOf(part.table),
    ...part.notes.map(escaped),
  ]);
  return `${[`# ${escaped(title)}`, ...about.map(escaped), ...sections].join("\n\n")}\n`;
}

/** Names of models and samples are escaped. */
const escaped = (text: string): string => printable(text).replace(/[\\`*_{}[\]<>|#]/g, "\\$&");

function tableOf({ head, rows, isText }: PartTable): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => escaped(cell.trim())).join(" | ")} |`;
  const rule = head.map((_, k) => (isText(k) ? ":--" : "--:"));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}

/**
 * A comparison as one table: a record for each run and metric, with value and 95% interval, and one for each
 * pair and metric, with the difference a − b.
 */
function comparisonCsv({ metrics }: Comparison): string {
  const records = metrics.flatMap(({ metric, better, samples, standings, pairs }) => {
    const common = { metric, better, samples };
    return [
      ...standings.map(({ run, value, interval, rankInterval, best, tieGroup }) => ({
        ...common,
        record: "run",
        a: run,
        value,
        low: interval?.[0],
        high: interval?.[1],
        rank_low: rankInterval[0],
        rank_high: rankInterval[1],
        p_best: best,
        tie_group: tieGroup,
      })),
      ...pairs.map(({ a, b, difference: { value, interval }, ...pair }) => ({
        ...common,
        record: "pair",
        a,
        b,
        value,
        low: interval?.[0],
        high: interval?.[1],
        p_t_holm: pair.pHolm,
        p_wilcoxon_holm: pair.wilcoxonPHolm,
        cohens_d: pair.cohensD,
        dz: pair.dz,
        win_rate: pair.winRate,
        significant_at: pair.significantAt,
      })),
    ];
  });
  const rows = (records as Record<string, unknown>[]).map((one) =>
    columns.map((name) => one[name]),
  );
  return [columns, ...rows].map(csvRecord).join("");
}

/** The comparison for programs: the keys of `GET /v1/compare`, and additional keys for files. */
export function comparisonJson(
  suite: Suite,
  options: unknown,
  compared: ComparedFiles,
): z.infer<typeof filesSchema> {
  const { comparison, files, samples, malformed, warnings, seed } = compared;
  return {
    ...comparison,
    suiteVersion: suite.version,
    options: suite.scoringOptions(options),
    seed,
    dataset: {
      ...comparison.dataset,
      samples,
      ...notesJson("malformed", malformed),
      ...notesJson("warnings", warnings),
    },
    runs: comparison.runs.map((run, i) => {
      const { missing, unscored, scored } = files[i]!;
      return { ...run, missing, unscored, prices: scored.prices };
    }),
  };
}
