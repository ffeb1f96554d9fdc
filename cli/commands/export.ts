import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { saveStream } from "../files/save-stream.ts";
import { withService } from "../local/with-service.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { writtenFileSchema } from "./report.ts";

/** Formats of each kind of export, the default first. */
const formatsOf = {
  samples: ["jsonl", "json", "csv"],
  fields: ["csv", "jsonl", "json"],
  aggregates: ["json", "jsonl", "csv"],
  answers: ["jsonl"],
  ratings: ["csv", "jsonl"],
  scores: ["json"],
  statement: ["json"],
  report: ["md", "json"],
  "every-eval-ever": ["json", "jsonl"],
} as const;
type What = keyof typeof formatsOf;

const kinds = Object.keys(formatsOf) as What[];
const allFormats = [...new Set(Object.values(formatsOf).flat())];

const contents: Record<What, string> = {
  samples: "Each sample with scores, counts and judgments",
  fields: "One row for each field, slot, argument or judgment of a sample",
  aggregates: "Every metric and table, in JSON with the run itself",
  answers: "The answers, in the format of submissions and assay score",
  ratings: "People's ratings of the answers, for assay ratings",
  scores: "The run with each metric by sample: a baseline for assay run --baseline",
  statement: "The signed statement of the result, for assay verify",
  report: "The text of the report page; assay report writes the page",
  "every-eval-ever": "The run as a record (json), its samples as instances (jsonl)",
};

const flags = {
  what: valueFlag(
    "WHAT",
    "What to export; by default aggregates for json, report for md, else samples",
    { choices: kinds },
  ),
  format: valueFlag(
    "FORMAT",
    "By default the extension of --output, else the first format of WHAT",
    { choices: allFormats },
  ),
  fields: { type: "boolean", help: "For samples as JSON: include the judgment of every field" },
  judgments: { type: "boolean", help: "For answers: with the judgments of each" },
  whole: { type: "boolean", help: "For answers: everything stored, with judgments and scores" },
  output: valueFlag(
    "FILE",
    "Write to FILE, compressed if it ends in .gz; by default, or with -, standard output",
  ),
  out: valueFlag("FILE", "Same as --output"),
  json: jsonFlag(
    z.union([
      writtenFileSchema,
      z.unknown().meta({ description: "without --output: the file, as in GET /v1/runs/{id}/…" }),
    ]),
    "Same as --format json; with --output, print a JSON summary of the written file",
  ),
  ...serviceFlags,
} as const;

/** `assay export`: downloads results of a run. */
export const exportCommand = command({
  name: "export",
  summary: "download a run's samples, fields, aggregates or report",
  description: ["Downloads results of a run from a service as a stream."],
  positionals: [{ name: "run", help: "Id of the run" }],
  flags,
  environment: keyVariable,
  lists: {
    "What can be exported": Object.fromEntries(
      kinds.map((kind) => [kind, `${contents[kind]} [${formatsOf[kind].join(", ")}]`]),
    ),
  },
  notes: ["Unlisted runs are visible to anyone who has their ids."],
  examples: [
    "assay export run_01a2b3c4 --output samples.csv",
    "assay export run_01a2b3c4 --what fields --output fields.jsonl.gz",
    "assay export run_01a2b3c4 --what scores --output assay-baseline.json",
    "assay export run_01a2b3c4 --format json | jq .run.metrics.eqs",
  ],
  async run(values, [id], { stdout, stderr }) {
    const { what, out = "-", output = out, fields = false, whole = false } = values;
    const { judgments = false } = values;
    const { json = false } = values;
    const format = values.format ?? (json && output === "-" ? "json" : undefined);
    const path = exportPath({ what, format, output, fields, judgments, whole });
    await withService({ server: values.server, scope: "submit", stderr }, async (service) => {
      const body = Readable.fromWeb(
        (await service.download(`/v1/runs/${encodeURIComponent(id)}${path}`)) as never,
      );
      if (output === "-") return pipeline(body, stdout, { end: false });
      const bytes = await saveStream(body, output);
      if (json) stdout.write(`${flags.json.text({ run: id, file: output, bytes })}\n`);
    });
  },
});

type Format = (typeof formatsOf)[What][number];

/** The requested export; undefined: not given. */
interface AskedExport {
  what: What | undefined;
  format: Format | undefined;
  /** Path of the file, or `-`. */
  output: string;
  /** Of samples, also the judgement of every field. */
  fields: boolean;
  /** For answers, also their judgments. */
  judgments?: boolean;
  /** For answers, everything stored. */
  whole: boolean;
}

/**
 * End of the path of an export. The format is the given one, else that of the file name. Without `what`, JSON means
 * the aggregates, Markdown the report and any other format the samples. Throws BadInput.
 */
export function exportPath({
  what: kind,
  format: named,
  output,
  fields,
  judgments = false,
  whole,
}: AskedExport): string {
  const end = output.replace(/\.gz$/, "").split(".").at(-1) ?? "";
  const asked = named ?? allFormats.find((one) => one === end);
  const what = kind ?? defaultFor(asked);
  const format = asked ?? formatsOf[what][0];
  if (!(formatsOf[what] as readonly Format[]).includes(format)) {
    throw new BadInput(
      `${what} cannot be exported as ${format}; choose ${formatsOf[what].join(" or ")}`,
    );
  }
  if (fields && (what !== "samples" || format === "csv")) {
    throw new BadInput(
      "--fields applies only to samples in JSON; --what fields exports a row for each",
    );
  }
  if (whole && what !== "answers") throw new BadInput("--whole applies only to --what answers");
  if (judgments && (what !== "answers" || whole)) {
    throw new BadInput("--judgments applies only to --what answers, and --whole includes them");
  }
  const more = { fields, judgments, whole };
  const query = Object.entries(more).find(([, isAsked]) => isAsked)?.[0];
  return pathOf(what, format, query === undefined ? "" : `?${query}=true`);
}

const defaultFor = (format: Format | undefined): What =>
  format === "json" ? "aggregates" : format === "md" ? "report" : "samples";

function pathOf(what: What, format: Format, query: string): string {
  if (what === "statement") return "/statement";
  if (what === "report" && format === "json") return "/report";
  return `/${what}.${format}${query}`;
}
