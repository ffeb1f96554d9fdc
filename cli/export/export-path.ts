import { BadInput } from "../bad-input.ts";
import { suggestion } from "../suggestion.ts";

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
export interface AskedExport {
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
