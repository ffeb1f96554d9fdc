import { statSync } from "node:fs";
import { z } from "zod";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { runReportSchema } from "#shared/contracts/run-report.ts";
import { reportMarkdown } from "#shared/measures/report/markdown/report-markdown.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { writeWhole } from "../files/output-file.ts";
import { withService } from "../local/with-service.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { loadReportPage } from "../report/load-page.ts";
import { resultsReport } from "../report/results-report.ts";

/** A file that a command wrote with a run's results. */
export const writtenFileSchema = z.object({
  run: z.string(),
  file: z.string(),
  bytes: z.int().nonnegative(),
});

const flags = {
  run: valueFlag("ID", "The same as the argument"),
  "results-dir": valueFlag(
    "DIR",
    "Local results instead: files written by assay score --json and --samples, assay run --output or assay export",
  ),
  output: valueFlag("FILE", "A page (.html) or Markdown (.md); - prints Markdown", {
    default: "report.html",
  }),
  json: jsonFlag(writtenFileSchema, "Print a summary of the written file as JSON"),
  ...serviceFlags,
} as const;

/** `assay report`: a run's report as a page or as Markdown. */
export const reportCommand = command({
  name: "report",
  summary: "write a run's report as one HTML page or Markdown",
  description: [
    "Writes the report of a run as one file: an HTML page that includes charts and styles and works offline, or Markdown.",
  ],
  usage: ["assay report RUN [options]", "assay report --results-dir DIR [options]"],
  positionals: [
    { name: "run", help: "Id of a run of a service, or a folder with its results", optional: true },
  ],
  flags,
  environment: keyVariable,
  notes: [
    "Samples next to a summary add charts of single answers and notable samples. The page can be printed and follows the light or dark mode of the system.",
  ],
  examples: [
    "assay report run_01a2b3c4",
    "assay score extraction --dataset d.jsonl --answers a.jsonl \\",
    "  --samples out/samples.jsonl --json > out/large.json",
    "assay report --results-dir out --output large.md",
  ],
  async run(values, [named], { stdout, stderr }) {
    const { output = "report.html", json = false } = values;
    const given = named ?? values.run;
    const isFolder =
      given !== undefined && statSync(given, { throwIfNoEntry: false })?.isDirectory();
    const [run, folder = values["results-dir"]] = isFolder ? [undefined, given] : [given];
    if (
      [named, values.run, values["results-dir"]].filter((one) => one !== undefined).length !== 1
    ) {
      throw new BadInput("give the id of a run, or --results-dir DIR");
    }
    const isPage = isPageName(output);
    const { server } = values;
    const { report, origin } =
      run === undefined
        ? { report: resultsReport(folder ?? ""), origin: null }
        : await withService({ server, scope: "submit", stderr }, async (service, isStarted) => ({
            report: await reportOf(service, run),
            // A service that ends with the command cannot be linked.
            origin: isStarted ? null : service.origin,
          }));
    const text = isPage ? (await loadReportPage())(report, origin) : reportMarkdown(report);
    if (output === "-") return void stdout.write(text);
    writeWhole(output, text);
    const { run: shown, suite } = report;
    const written = { run: shown.id, file: output, bytes: Buffer.byteLength(text) };
    const summary = `${output}: ${shown.model.name} on ${suite.label}`;
    stdout.write(`${json ? flags.json.text(written) : summary}\n`);
  },
});

function isPageName(output: string): boolean {
  if (/\.html?$/.test(output)) return true;
  if (output === "-" || /\.(md|markdown)$/.test(output)) return false;
  throw new BadInput(`${output}: the name must end in .html or .md`);
}

async function reportOf(service: ServiceClient, id: string): Promise<RunReport> {
  const path = `/v1/runs/${encodeURIComponent(id)}/report`;
  const value = await service.get(path, runReportSchema);
  if (value.run.metrics === null) {
    throw new BadInput(`run "${id}" is ${value.run.status}: only finished runs have a report`);
  }
  return value;
}
