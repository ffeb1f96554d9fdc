import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { comparePaths } from "../compare/compare-paths.ts";
import {
  comparisonFile,
  comparisonJson,
  type ShownComparison,
} from "../compare/comparison-file.ts";
import { runsComparison, runsText } from "../compare/runs-comparison.ts";
import { filesText, terminalText } from "../compare/terminal-text.ts";
import { toldSuite } from "../compare/told-suite.ts";
import { withService } from "../local/own-service.ts";
import { serverHelp, serviceFlags } from "../remote/service-flags.ts";
import { pricesOf } from "../score/prices.ts";
import { malformedLines } from "../score/row-lines.ts";
import type { ScoringTask } from "../score/score-files.ts";
import { chosenSuite, readOptions } from "../score/score-paths.ts";
import { command, type Terminal } from "./command.ts";

/** As many as `GET /v1/compare` takes. */
const MIN_FILES = 2;
const MAX_FILES = 20;

const help = `assay compare [suite] --dataset samples.jsonl --answers a.jsonl --answers b.jsonl [options]
assay compare --runs RUN,RUN,… [options]

Scores ${MIN_FILES} to ${MAX_FILES} files of answers as assay score does and compares them sample by sample, as the
service does with GET /v1/compare: offline, without a server. With --runs the service compares finished runs.

  [suite]           ${suites.map(({ id }) => id).join(", ")}; without it, the one that the dataset fits
  --dataset FILE    the samples, one JSON object a line, as the suite describes them
  --answers FILE    answers of one model, as assay score takes them: give it once for each file;
                    - reads standard input
  --options FILE    the suite's options, a JSON object, for all files; without it, the defaults
  --price-in USD    price of a million input tokens, and
  --price-out USD   of a million output tokens, for the frontier of cost: once for all files, or once
                    for each, in the order of --answers
  --runs RUN,RUN,…  ${MIN_FILES} to ${MAX_FILES} runs of a service, by their ids, in place of files
  ${serverHelp}
  --output FILE     write the comparison there too, as the name ends: .html, .md, .json or .csv
  --json            print the comparison as one JSON object instead of tables
  --help            show this

A run is called as its file, without folder and .jsonl; where that is not unique, with the folders that
tell the files apart. Differences are those of the run given first minus the other.

Compared are the samples that every file has a row for. A sample without a row is left out and counted
for its file, where assay score would score it 0; a row with "error" is a failed request and scores 0.
With the option "repeats" a sample counts by the mean of the rows it has.

Of the headline there are values with 95% bootstrap intervals, rank intervals, the share of resamples in
which a run came first, and groups of runs that can't be told apart; of each pair the difference with its
interval, paired t-test and Wilcoxon signed-rank test corrected by Holm over all pairs, Cohen's d, dz, win
rate, the smallest difference that so many samples show, and the samples it takes to show the observed
one. A difference is significant where the corrected p of the t-test is below 0.05. Samples that share a
tag "cluster" come from one source: sources are then resampled and tested instead.

Keys of --json, as GET /v1/compare has them, a run by its name:
  suite, dataset {name, version}, scoringVersion, frontiers {latency, cost}, bestBy, differing
  runs      {run, model, provenance, headline, samples, leftOut}; the headline is that of the whole file,
            as assay score gives it; leftOut: of its samples, those that are not compared
  metrics   the headline first: {metric, better, samples, units, standings, pairs}
and beside them
  suiteVersion, options, seed; dataset {samples, malformed, malformedCount, warnings, warningsCount}
  runs      {missing, unscored, prices}: samples without a row, and samples that could not be scored

The same content prints the same bytes: resamples are seeded by a SHA-256 of samples and answers. Files are
read one after the other and line by line; memory holds some columns of numbers for each.

Of --runs the API key is taken from the environment variable ASSAY_API_KEY, where runs are not for everybody.

Exit code: 0 when something was compared, 2 for input that needs a change, and when the service can't be
reached or refuses.

Examples
  assay compare --dataset samples.jsonl --answers large.jsonl --answers small.jsonl
  assay compare extraction --dataset samples.jsonl --answers a/answers.jsonl --answers b/answers.jsonl
  assay compare --dataset samples.jsonl --answers a.jsonl --answers b.jsonl --output comparison.html
  assay compare --runs run_01a2b3c4,run_05d6e7f8 --output comparison.md
  assay compare --dataset samples.jsonl --answers a.jsonl --price-in 2.50 --price-out 10 \\
    --answers b.jsonl --price-in 0.15 --price-out 0.60`;

const flags = {
  ...serviceFlags,
  runs: { type: "string", multiple: true },
  output: { type: "string" },
  dataset: { type: "string" },
  answers: { type: "string", multiple: true },
  options: { type: "string" },
  "price-in": { type: "string", multiple: true },
  "price-out": { type: "string", multiple: true },
  json: { type: "boolean" },
} as const;

/** `assay compare`: compares files of answers to one dataset, or runs of a service. */
export const compareCommand = command({
  name: "compare",
  summary: "compare files of answers, offline, or runs of a service",
  help,
  flags,
  async run(values, positionals, terminal) {
    const { output, answers = [], runs } = values;
    const task = runs === undefined ? filesOf(values, positionals) : null;
    if (task === null) refuseFiles(values, positionals);
    const inputs = [values.dataset ?? [], values.options ?? [], answers].flat();
    const file = output === undefined ? null : comparisonFile(output, inputs);
    try {
      const shown =
        task === null
          ? await ofRuns(idsOf(runs ?? []), values, terminal)
          : await ofFiles(task, terminal);
      const { stdout } = terminal;
      const printed = values.json
        ? JSON.stringify(shown.json, null, 2)
        : terminalText(shown.text, stdout);
      stdout.write(`${printed}\n`);
      file?.write(shown);
    } finally {
      file?.abandon();
    }
  },
});

type Values = Parameters<typeof compareCommand.run>[0];

/** What of files is to be compared. Throws BadInput. */
function filesOf(values: Values, positionals: readonly string[]) {
  const { dataset, answers = [], server } = values;
  refuseLooseFile(positionals);
  const named = positionals.length > 0 ? chosenSuite(positionals) : null;
  if (server !== undefined) throw new BadInput("--server is of --runs: files are compared here");
  if (dataset === undefined) throw new BadInput("--dataset FILE is needed, or --runs RUN,RUN");
  if (answers.length < MIN_FILES || answers.length > MAX_FILES) {
    const given = answers.length === 0 ? "none was" : `${answers.length} given`;
    throw new BadInput(
      `give --answers FILE ${MIN_FILES} to ${MAX_FILES} times, once for each file; ${given}`,
    );
  }
  const prices = pricesOfEach(answers, values["price-in"] ?? [], values["price-out"] ?? []);
  const suite = named ?? toldSuite(dataset);
  return { suite, options: readOptions(suite, values.options), dataset, answers, prices };
}

async function ofFiles(task: ReturnType<typeof filesOf>, { stdin, stderr }: Terminal) {
  const { suite, options, dataset } = task;
  const compared = await comparePaths({ ...task, stdin });
  const left = malformedLines(dataset, compared);
  if (left.length > 0) stderr.write(`${left.join("\n")}\n`);
  const { comparison } = compared;
  const json = comparisonJson(suite, options, compared);
  return { comparison, json, text: filesText(suite, compared) };
}

async function ofRuns(
  ids: readonly string[],
  { server }: Values,
  { stderr }: Terminal,
): Promise<ShownComparison> {
  return withService({ server, scope: "submit", stderr }, async (service) => {
    const { suite, comparison } = await runsComparison(service, ids);
    return { comparison, json: comparison, text: runsText(suite, comparison) };
  });
}

function idsOf(given: readonly string[]): string[] {
  const ids = [...new Set(given.flatMap((one) => one.split(",")).map((id) => id.trim()))];
  const wanted = ids.filter(Boolean);
  if (wanted.length >= MIN_FILES && wanted.length <= MAX_FILES) return wanted;
  throw new BadInput(
    `--runs takes ${MIN_FILES} to ${MAX_FILES} different runs, as run_01a2,run_05d6; ${wanted.length} given`,
  );
}

/** What is of files says nothing of runs. */
function refuseFiles(values: Values, [suite]: readonly string[]): void {
  const ofFiles = ["dataset", "answers", "options", "price-in", "price-out"] as const;
  const given = ofFiles.find((name) => values[name] !== undefined);
  if (given !== undefined)
    throw new BadInput(`--${given} is of files, and --runs of a service: give one`);
  if (suite === undefined) return;
  throw new BadInput(`"${suite}" is too much: give runs as --runs RUN,RUN, and no suite`);
}

/** A file where a suite stands lacks its flag. */
function refuseLooseFile(positionals: readonly string[]): void {
  const loose = positionals.find((one) => /\.jsonl$|[/\\]/i.test(one));
  if (loose === undefined) return;
  throw new BadInput(`${loose}: give each file of answers with its flag, as --answers ${loose}`);
}

/** Prices by file: one pair holds for all. Throws BadInput for any other number of them. */
function pricesOfEach(
  answers: readonly string[],
  inputs: readonly string[],
  outputs: readonly string[],
): ScoringTask["prices"][] {
  for (const given of [inputs.length, outputs.length]) {
    if (given <= 1 || given === answers.length) continue;
    throw new BadInput(
      `give --price-in and --price-out once, or ${answers.length} times as --answers, not ${given} times`,
    );
  }
  const at = (prices: readonly string[], i: number) => prices[prices.length === 1 ? 0 : i];
  return answers.map((_, i) => pricesOf(at(inputs, i), at(outputs, i)));
}
