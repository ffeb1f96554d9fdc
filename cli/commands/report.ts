import { writeFileSync } from "node:fs";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { runReportSchema } from "#shared/contracts/run-report.ts";
import { reportMarkdown } from "#shared/measures/report/markdown/report-markdown.ts";
import { BadInput } from "../bad-input.ts";
import { keyHelp, serverHelp, serviceFlags, serviceOf } from "../remote/service-flags.ts";
import { loadReportPage } from "../report/load-report-page.ts";
import { resultsReport } from "../report/results-report.ts";
import { writeProblem } from "../score/open-file.ts";
import { command } from "./command.ts";

const help = `assay report (--run ID | --results-dir DIR) [--output report.html] [options]

Writes the report of a run as one file: a page with its charts and styles in it, which needs no network and
opens from any folder, or Markdown.

  --run ID            a run of a service
  --results-dir DIR   results on this machine, without a service: files that assay score --json and --samples,
                      assay run --output or assay export wrote
  --output FILE       report.html or report.md; without it, report.html; - prints Markdown
  --json              say what was written as JSON
  ${serverHelp}
  --help              show this

Samples beside a summary add charts of single answers, and those worth a look. A page can be printed; it is
light or dark as its reader's system is.

${keyHelp}

Exit code: 0 when it was written, 2 for input that needs a change, and when the service can't be reached or
refuses.

Examples
  assay report --run run_01a2b3c4
  assay score extraction --dataset d.jsonl --answers a.jsonl --samples out/samples.jsonl --json > out/large.json
  assay report --results-dir out --output large.md`;

const flags = {
  ...serviceFlags,
  run: { type: "string" },
  "results-dir": { type: "string" },
  output: { type: "string" },
  json: { type: "boolean" },
} as const;

/** `assay report`: a run's report as a page or as Markdown. */
export const reportCommand = command({
  name: "report",
  summary: "write a run's report as one HTML page or Markdown",
  help,
  flags,
  async run(values, [surplus], { stdout }) {
    const { run, "results-dir": folder, output = "report.html", json = false } = values;
    if (surplus !== undefined)
      throw new BadInput(`name the run by --run; "${surplus}" is too much`);
    if ((run === undefined) === (folder === undefined)) {
      throw new BadInput("say of what: --run ID, a run of a service, or --results-dir DIR");
    }
    const isPage = isPageName(output);
    const service = run === undefined ? null : serviceOf(values, "submit");
    const report =
      service === null || run === undefined
        ? resultsReport(folder ?? "")
        : await reportOf(service, run);
    const text = isPage
      ? (await loadReportPage())(report, service?.origin ?? null)
      : reportMarkdown(report);
    if (output === "-") return void stdout.write(text);
    save(output, text);
    stdout.write(
      json
        ? `${JSON.stringify({ run: report.run.id, file: output, bytes: Buffer.byteLength(text) })}\n`
        : `${output}: ${report.run.model.name} on ${report.suite.label}\n`,
    );
  },
});

async function reportOf(service: ReturnType<typeof serviceOf>, id: string): Promise<RunReport> {
  const path = `/v1/runs/${encodeURIComponent(id)}/report`;
  const { value } = await service.get(path, runReportSchema);
  if (value.run.metrics === null) {
    throw new BadInput(`run "${id}" is ${value.run.status}: a report is made of a finished run`);
  }
  return value;
}

function isPageName(output: string): boolean {
  if (/\.html?$/.test(output)) return true;
  if (output === "-" || /\.(md|markdown)$/.test(output)) return false;
  throw new BadInput(`${output}: a report is a page, report.html, or Markdown, report.md`);
}

function save(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw writeProblem(path, error);
  }
}
