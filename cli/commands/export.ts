import { extname, join } from "node:path";
import { Readable, type Writable } from "node:stream";
import { z } from "zod";
import { command, jsonFlag, type Values, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { writeBundle } from "../export/every-eval-ever-bundle.ts";
import { evalResultsYaml, evalYaml } from "../export/hugging-face-yaml.ts";
import { otelEvents } from "../export/otel-events.ts";
import { saveParquet } from "../export/save-parquet.ts";
import { printStream, saveStream } from "../files/output-file.ts";
import { withService } from "../local/with-service.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { printable } from "../terminal/text.ts";
import { writtenFileSchema } from "./report.ts";

/** Formats of each kind of export, the default first. */
const formatsOf = {
  samples: ["jsonl", "json", "csv", "parquet"],
  fields: ["csv", "jsonl", "json", "parquet"],
  aggregates: ["json", "jsonl", "csv", "parquet"],
  answers: ["jsonl", "parquet"],
  ratings: ["csv", "jsonl"],
  scores: ["json"],
  statement: ["json"],
  report: ["md", "json"],
  "every-eval-ever": ["json", "jsonl", "bundle"],
  "eval-results": ["yaml"],
  "eval-yaml": ["yaml"],
  "otel-events": ["jsonl"],
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
  "every-eval-ever":
    "The run as a record (json), its samples as instances (jsonl), both as files for the datastore (bundle)",
  "eval-results": "A metric for the folder .eval_results of a model on Hugging Face",
  "eval-yaml": "The file eval.yaml, which makes a dataset on Hugging Face a benchmark",
  "otel-events": "Scores as OpenTelemetry events gen_ai.evaluation.result; experimental",
};

const BUNDLE = "Bundle for the datastore of Every Eval Ever";
const HUB = "Files for Hugging Face";

const bundleFlags = {
  deployment: valueFlag("WHO", "Who ran the model; by default derived from its host", {
    choices: ["self_deployed", "externally_managed", "unknown"],
    section: BUNDLE,
  }),
  weights: valueFlag(
    "ACCESS",
    "Access to the model's weights; open if its page is on Hugging Face",
    {
      choices: ["open_weights", "closed_weights", "unknown"],
      section: BUNDLE,
    },
  ),
  "model-id": valueFlag(
    "OWNER/NAME",
    "The model's id in other tools; by default its id on Hugging Face if it has a page there, else its slug",
    { section: BUNDLE },
  ),
} as const;

const hubFlags = {
  "hub-dataset": valueFlag("OWNER/NAME", "The benchmark; by default the dataset's source", {
    section: HUB,
  }),
  task: valueFlag("ID", "Task in the benchmark's eval.yaml", {
    section: HUB,
    default: "the suite",
  }),
  metric: valueFlag("ID", "Metric to publish", { section: HUB, default: "the headline" }),
  config: valueFlag("NAME", "For eval-yaml: configuration of the dataset", { section: HUB }),
  split: valueFlag("NAME", "For eval-yaml: split of the dataset", { section: HUB }),
} as const;

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
  judgments: { type: "boolean", help: "For answers: include the judgments of each" },
  whole: { type: "boolean", help: "For answers: everything stored, with judgments and scores" },
  output: valueFlag(
    "FILE",
    "Write to FILE, compressed if it ends in .gz; by default, or with -, standard output. For a bundle, its folder",
  ),
  out: valueFlag("FILE", "Same as --output"),
  json: jsonFlag(
    z.union([
      writtenFileSchema,
      z.unknown().meta({ description: "without --output: the file, as in GET /v1/runs/{id}/…" }),
    ]),
    "Same as --format json; with --output, print a JSON summary of the written file",
  ),
  ...bundleFlags,
  ...hubFlags,
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
    "assay export run_01a2b3c4 --output samples.parquet",
    "assay export run_01a2b3c4 --format bundle --output eee --deployment externally_managed --weights open_weights",
    "assay export run_01a2b3c4 --hub-dataset acme/invoices --output .eval_results/invoices.yaml",
  ],
  async run(values, [id], { stdout, stderr }) {
    const { what, out = "-", output = out, fields = false, whole = false } = values;
    const { judgments = false, json = false } = values;
    const format = values.format ?? (json && output === "-" ? "json" : undefined);
    const asked = { what, format, output, fields, judgments, whole };
    const chosen = chosenExport(asked);
    refuseOthers(values, chosen);
    const path = exportPath(asked);
    await withService({ server: values.server, scope: "submit", stderr }, async (service) => {
      const written = async (): Promise<object | null> => {
        if (chosen.format === "bundle")
          return exportBundle(values, { service, id, output, stdout, stderr });
        const body = await bodyOf(service, id, path, values, chosen);
        if (chosen.format === "parquet")
          return { file: output, rows: await saveParquet(body, output) };
        if (output !== "-") return { file: output, bytes: await saveStream(body, output) };
        await printStream(body, stdout);
        return null;
      };
      const summary = await written();
      if (summary !== null && chosen.format !== "bundle")
        stderr.write(`${printable(`${output}: ${chosen.what} of ${id}`)}\n`);
      if (json && summary !== null) stdout.write(`${flags.json.text({ run: id, ...summary })}\n`);
    });
  },
});

/** Refuses flags of other kinds of exports, which would have no effect. */
function refuseOthers(values: Values<typeof flags>, { what, format }: ChosenExport): void {
  const given = (names: object) =>
    Object.keys(names).find((name) => values[name as keyof typeof values] !== undefined);
  const ofBundle = format === "bundle" ? undefined : given(bundleFlags);
  if (ofBundle !== undefined) throw new BadInput(`--${ofBundle} applies only to --format bundle`);
  const ofHub = given(hubFlags);
  if (ofHub !== undefined && what !== "eval-results" && what !== "eval-yaml") {
    throw new BadInput(`--${ofHub} applies only to --what eval-results and eval-yaml`);
  }
}

async function bodyOf(
  service: ServiceClient,
  id: string,
  path: string,
  values: Values<typeof flags>,
  { what }: ChosenExport,
): Promise<Readable> {
  const { "hub-dataset": dataset, task, metric, config, split } = values;
  const facts = { dataset, task, metric, config, split };
  if (what === "eval-results") return Readable.from([await evalResultsYaml(service, id, facts)]);
  if (what === "eval-yaml") return Readable.from([await evalYaml(service, id, facts)]);
  if (what === "otel-events") return Readable.from(otelEvents(service, id));
  const body = await service.download(`/v1/runs/${encodeURIComponent(id)}${path}`);
  return Readable.fromWeb(body as never);
}

interface BundlePlace {
  service: ServiceClient;
  id: string;
  output: string;
  stdout: Writable;
  stderr: Writable;
}

async function exportBundle(
  { deployment, weights, "model-id": model, json }: Values<typeof flags>,
  { service, id: run, output: folder, stdout, stderr }: BundlePlace,
): Promise<object> {
  const task = { service, run, folder, deployment, weights, model, stdout };
  const { files, samples, notes } = await writeBundle(task);
  for (const note of notes) stderr.write(`${note}\n`);
  if (!json) stdout.write(`${files.map((file) => join(folder, file)).join("\n")}\n`);
  return { folder, files, samples };
}

type Format = (typeof formatsOf)[What][number];

/** The requested export; undefined: no flag. */
interface AskedExport {
  what: What | undefined;
  format: Format | undefined;
  /** Path of the file, or `-`. */
  output: string;
  /** For samples, also the verdict on every field. */
  fields: boolean;
  /** For answers, also their judgments. */
  judgments?: boolean;
  /** For answers, everything that is stored. */
  whole: boolean;
}

/** Kind and format of an export. */
interface ChosenExport {
  what: What;
  format: Format;
}

/**
 * The kind and the format of an export. The format is from the flag, otherwise from the file name. Without `what`, the
 * format selects the kind; if several kinds have the format, samples are exported. Throws BadInput.
 */
function chosenExport({ what: kind, format: named, output }: AskedExport): ChosenExport {
  const end = extname(output.replace(/\.gz$/, "")).slice(1);
  // Random file names end with longer texts or other characters.
  const asked = named ?? (/^[a-z]{2,7}$/.test(end) ? (end as Format) : undefined);
  const what = kind ?? defaultFor(asked);
  const format = asked ?? formatsOf[what][0];
  if (!(formatsOf[what] as readonly Format[]).includes(format)) {
    throw new BadInput(
      `${what} cannot be exported as ${format}; choose ${formatsOf[what].join(" or ")}`,
    );
  }
  if (format === "parquet" && (output === "-" || output.endsWith(".gz"))) {
    throw new BadInput("Parquet is written to a file and is compressed: add --output NAME.parquet");
  }
  if (format === "bundle" && output === "-") {
    throw new BadInput("a bundle is a folder of files: add --output FOLDER");
  }
  return { what, format };
}

/** Last part of an export's path; for Parquet, the path of its rows. Throws BadInput. */
export function exportPath(asked: AskedExport): string {
  const { fields, judgments = false, whole } = asked;
  const { what, format } = chosenExport(asked);
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

const defaults: Partial<Record<Format, What>> = {
  json: "aggregates",
  md: "report",
  bundle: "every-eval-ever",
  yaml: "eval-results",
};

const defaultFor = (format: Format | undefined): What => (format && defaults[format]) ?? "samples";

function pathOf(what: What, format: Format, query: string): string {
  if (what === "statement") return "/statement";
  if (what === "report" && format === "json") return "/report";
  return `/${what}.${format === "parquet" ? "jsonl" : format}${query}`;
}
