import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BadInput } from "../bad-input.ts";
import { withService } from "../local/with-service.ts";
import { keyHelp, serverHelp, serviceFlags } from "../remote/service-flags.ts";
import { fileProblem } from "../score/open-file.ts";
import { suggestion } from "../suggestion.ts";
import { command } from "./command.ts";

/** What the service has of a run, by format. */
const paths = {
  json: () => "",
  jsonl: (fields: boolean) => `/samples.jsonl${fields ? "?fields=true" : ""}`,
  csv: () => "/samples.csv",
  answers: () => "/answers.jsonl",
} as const;
type Format = keyof typeof paths;

const help = `assay export <run> [--format jsonl] [--out FILE] [options]

Downloads a run from a service, as it is streamed.

  <run>             the run's id
  --format FORMAT   json: the run with every aggregate; jsonl: its samples with their scores, one a line;
                    csv: the same as a table; answers: what was said, as assay score and submissions take
                    it; without it, by the end of --out, else jsonl
  --json            the same as --format json
  --fields          of jsonl, also the judgement of every field
  --out FILE        write there; without it, or with -, to standard output
  ${serverHelp}
  --help            show this

Unlisted runs are there for whoever knows their ids. ${keyHelp}

Exit code: 0 when all of it was written, 2 for input that needs a change, and when the service can't be
reached or refuses.

Examples
  assay export run_01a2b3c4 --out samples.csv
  assay export run_01a2b3c4 --format answers --out answers.jsonl
  assay export run_01a2b3c4 --format json | jq .metrics.eqs`;

const flags = {
  ...serviceFlags,
  format: { type: "string" },
  json: { type: "boolean" },
  fields: { type: "boolean" },
  out: { type: "string" },
} as const;

/** `assay export`: downloads a run's aggregates or samples. */
export const exportCommand = command({
  name: "export",
  summary: "download a run's samples or aggregates",
  help,
  flags,
  async run(values, [id, surplus], { stdout, stderr }) {
    if (id === undefined) throw new BadInput("name the run by its id, as run_01a2…");
    if (surplus !== undefined) throw new BadInput(`one run at a time; "${surplus}" is too much`);
    const { out = "-", fields = false } = values;
    if (values.json && values.format !== undefined) {
      throw new BadInput("--json and --format: give one");
    }
    const format = formatOf(values.json ? "json" : values.format, out);
    if (fields && format !== "jsonl") throw new BadInput("--fields is of the format jsonl alone");
    const path = `/v1/runs/${encodeURIComponent(id)}${paths[format](fields)}`;
    await withService({ server: values.server, scope: "submit", stderr }, async (service) => {
      const body = Readable.fromWeb((await service.download(path)) as never);
      if (out === "-") await pipeline(body, stdout, { end: false });
      else await writeFile(body, out);
    });
  },
});

function formatOf(given: string | undefined, out: string): Format {
  const known = Object.keys(paths);
  const named = given ?? known.find((one) => out.endsWith(`.${one}`)) ?? "jsonl";
  if (named in paths) return named as Format;
  const hint = suggestion(named, known) || `; there are ${known.join(", ")}`;
  throw new BadInput(`there is no format "${named}"${hint}`);
}

/** What is incomplete never stands under the file's name. */
async function writeFile(body: Readable, out: string): Promise<void> {
  const part = `${out}.part`;
  try {
    await pipeline(body, createWriteStream(part));
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw fileProblem(out, error);
  }
}
