import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BadInput } from "../bad-input.ts";
import { saveStream } from "../export/save-stream.ts";
import { withService } from "../local/own-service.ts";
import { keyHelp, serverHelp, serviceFlags } from "../remote/service-flags.ts";
import { suggestion } from "../suggestion.ts";
import { command } from "./command.ts";

const help = `assay export <run> [--what samples] [--format jsonl] [--output FILE] [options]

Downloads a run from a service, as it is streamed.

  <run>             the run's id
  --what WHAT       samples: each with its scores, counts and judgments (jsonl, json, csv)
                    fields: a row for each field, slot, argument or judgment of a sample (csv, jsonl, json)
                    aggregates: every metric and table, as JSON with the run itself (json, jsonl, csv)
                    report: what the report's page says (md, json); assay report makes a page of it
                    every-eval-ever: the run as a record (json), its samples as instances (jsonl)
                    answers: what was answered, as submissions and assay score take it (jsonl)
                    statement: what was published, signed, for assay verify (json)
                    without it aggregates as json, the report as md, else samples
  --format FORMAT   json, jsonl, csv or md; without it, by the end of --output, else the first one named above
  --fields          of samples as JSON, also the judgement of every field
  --whole           of answers, all that was stored of them, with judgments and what each earned
  --output FILE     write there, compressed where it ends in .gz; without it, or with -, to standard output
  --out FILE        the same
  --json            the same as --format json; with a file, say what was written as JSON
  ${serverHelp}
  --help            show this

Unlisted runs are there for whoever knows their ids.
${keyHelp}

Exit code: 0 when all of it was written, 2 for input that needs a change, and when the service can't be
reached or refuses.

Examples
  assay export run_01a2b3c4 --output samples.csv
  assay export run_01a2b3c4 --what fields --output fields.jsonl.gz
  assay export run_01a2b3c4 --format json | jq .run.metrics.eqs`;

const flags = {
  ...serviceFlags,
  what: { type: "string" },
  format: { type: "string" },
  fields: { type: "boolean" },
  whole: { type: "boolean" },
  output: { type: "string" },
  out: { type: "string" },
  json: { type: "boolean" },
} as const;

/** `assay export`: downloads what a service has of a run. */
export const exportCommand = command({
  name: "export",
  summary: "download a run's samples, fields, aggregates or report",
  help,
  flags,
  async run(values, [id, surplus], { stdout, stderr }) {
    if (id === undefined) throw new BadInput("name the run by its id, as run_01a2…");
    if (surplus !== undefined) throw new BadInput(`one run at a time; "${surplus}" is too much`);
    const { what, out = "-", output = out, fields = false, whole = false } = values;
    const { json = false } = values;
    const format = values.format ?? (json && output === "-" ? "json" : undefined);
    const path = exportPath({ what, format, output, fields, whole });
    await withService({ server: values.server, scope: "submit", stderr }, async (service) => {
      const body = Readable.fromWeb(
        (await service.download(`/v1/runs/${encodeURIComponent(id)}${path}`)) as never,
      );
      if (output === "-") return pipeline(body, stdout, { end: false });
      const bytes = await saveStream(body, output);
      if (json) stdout.write(`${JSON.stringify({ run: id, file: output, bytes })}\n`);
    });
  },
});

/** What can be exported of a run, and the formats that the service has it in, the usual one first. */
const formatsOf = {
  samples: ["jsonl", "json", "csv"],
  fields: ["csv", "jsonl", "json"],
  aggregates: ["json", "jsonl", "csv"],
  answers: ["jsonl"],
  statement: ["json"],
  report: ["md", "json"],
  "every-eval-ever": ["json", "jsonl"],
} as const;
type What = keyof typeof formatsOf;
type Format = (typeof formatsOf)[What][number];

/** What is asked for; undefined: not said. */
interface AskedExport {
  what: string | undefined;
  format: string | undefined;
  /** Path of the file, or `-`. */
  output: string;
  /** Of samples, also the judgement of every field. */
  fields: boolean;
  /** Of answers, all that was stored of them. */
  whole: boolean;
}

const kinds = Object.keys(formatsOf) as What[];
const allFormats = [...new Set(Object.values(formatsOf).flat())];

/**
 * What to fetch of a run, as the end of its path. The format is the one that is named, else that of the file's
 * name; JSON of nothing in particular is the aggregates, any other format the samples. Throws BadInput.
 */
export function exportPath({
  what: kind,
  format: named,
  output,
  fields,
  whole,
}: AskedExport): string {
  const end = output.replace(/\.gz$/, "").split(".").at(-1) ?? "";
  const told = named ?? allFormats.find((one) => one === end);
  const what = kind === undefined ? usualFor(told) : one(kind, kinds, "no export");
  const format = one(told ?? formatsOf[what][0], allFormats, "no format");
  if (!(formatsOf[what] as readonly Format[]).includes(format)) {
    throw new BadInput(`${what} as ${format} is not to be had: ${formatsOf[what].join(" or ")} is`);
  }
  if (fields && (what !== "samples" || format === "csv")) {
    throw new BadInput("--fields is of samples in JSON alone; --what fields has a row for each");
  }
  if (whole && what !== "answers") throw new BadInput("--whole is of --what answers alone");
  return pathOf(what, format, fields ? "?fields=true" : whole ? "?whole=true" : "");
}

const usualFor = (format: string | undefined): What =>
  format === "json" ? "aggregates" : format === "md" ? "report" : "samples";

function pathOf(what: What, format: Format, query: string): string {
  if (what === "statement") return "/statement";
  if (what === "report" && format === "json") return "/report";
  return `/${what}.${format}${query}`;
}

function one<T extends string>(given: string, known: readonly T[], lack: string): T {
  const found = known.find((name) => name === given);
  if (found !== undefined) return found;
  const hint = suggestion(given, known) || `; there are ${known.join(", ")}`;
  throw new BadInput(`there is ${lack} "${given}"${hint}`);
}
