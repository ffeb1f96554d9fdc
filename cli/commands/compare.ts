import type { Comparison } from "#shared/contracts/boards/comparison.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { type Margins, withMargins } from "#shared/measures/comparison/margin-tests.ts";
import type { GateRules } from "#shared/measures/gates/gated-runs.ts";
import {
  command,
  jsonFlag,
  type Terminal,
  type Values,
  valueFlag,
} from "../command-line/command.ts";
import { suiteIds } from "../command-line/suite-choice.ts";
import { compareFolders } from "../compare/compare-folders.ts";
import { comparePaths } from "../compare/compare-paths.ts";
import {
  comparisonFile,
  comparisonJson,
  type ShownComparison,
  shownComparisonSchema,
} from "../compare/comparison-file.ts";
import {
  type ComparedFilesTask,
  type ComparisonSource,
  comparisonSource,
  MAX_FILES,
  MAX_FOLDERS,
  MIN_FILES,
} from "../compare/comparison-source.ts";
import { figuresOfRuns, runsComparison, runsText } from "../compare/runs-comparison.ts";
import { filesText, terminalText } from "../compare/terminal-text.ts";
import { BadInput, NotPassed } from "../errors.ts";
import { malformedLines } from "../files/row-lines.ts";
import { type Gate, gateFailures, gateJson } from "../gate/gate.ts";
import { gatesOfFiles, placesIn } from "../gate/gate-files.ts";
import { gateEnvironment, gateFlags, gateOfFlags, marginsOf } from "../gate/gate-flags.ts";
import { type GateFile, gateFile, type SamplePlace, writeGates } from "../gate/gate-outputs.ts";
import { gatesOf } from "../gate/gate-runs.ts";
import { gateText } from "../gate/gate-text.ts";
import { scoredRun } from "../gate/read-baseline.ts";
import { withService } from "../local/with-service.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { keyVariable, serviceFlags } from "../remote/service-flags.ts";
import { optionFlags } from "../score/score-paths.ts";
import { printable } from "../terminal/text.ts";

const flags = {
  dataset: valueFlag(
    "FILE",
    "Samples: JSON Lines, a JSON array, or a folder samples/<id>/sample.json",
  ),
  answers: valueFlag("FILE", "Answers of one model, as for assay score; - reads standard input", {
    multiple: true,
  }),
  options: valueFlag("FILE", "Options of the suite for all files, a JSON object"),
  ...optionFlags,
  "price-in": valueFlag(
    "USD",
    "Price per million input tokens, once for all files or once for each, in the order of --answers",
    { multiple: true },
  ),
  "price-out": valueFlag(
    "USD",
    "Price per million output tokens, likewise; with --price-in, the cost frontier is calculated",
    { multiple: true },
  ),
  runs: valueFlag(
    "RUN,RUN,…",
    `Same as the arguments: ids of ${MIN_FILES} to ${MAX_FILES} finished runs of a service; or names of result folders, here or in results/`,
    { multiple: true },
  ),
  margin: valueFlag(
    "METRIC=N",
    "Also test whether runs are the same within N, or no worse by N, such as eqs=0.02; separate several by commas",
    { multiple: true },
  ),
  ...gateFlags,
  junit: valueFlag("FILE", "Write the gate as JUnit XML: a test case for each margin", {
    section: "Gate",
  }),
  ...serviceFlags,
  output: valueFlag("FILE", "Also write the comparison to FILE: .html, .md, .json or .csv"),
  json: jsonFlag(shownComparisonSchema, "Print the comparison as one JSON object"),
} as const;

type CompareValues = Values<typeof flags>;

/** `assay compare`: compares files of answers to one dataset, or runs of a service. */
export const compareCommand = command({
  name: "compare",
  summary: "compare result folders or files of answers, offline, or runs of a service",
  description: [
    `Compares ${MIN_FILES} to ${MAX_FILES} runs sample by sample, as GET /v1/compare does; up to ${MAX_FOLDERS} result folders are ranked. Result folders, written by assay run --output or assay score, are compared offline, without the dataset. Files of answers are scored as by assay score, and compared offline, with the dataset. Finished runs, given by id, are compared by the service.`,
  ],
  usage: [
    "assay compare FOLDER FOLDER … [options]",
    "assay compare [suite] --dataset FILE --answers FILE --answers FILE … [options]",
    "assay compare RUN RUN … [options]",
  ],
  positionals: [
    {
      name: "suite, folders or runs",
      help: `Result folders, or ids of runs; or with --answers the suite of the samples, one of ${suiteIds.join(", ")}, by default recognized from the first rows`,
      optional: true,
      many: true,
    },
  ],
  flags,
  likelyFlag: "answers",
  environment: { ...keyVariable, ...gateEnvironment },
  exitCodes: {
    0: "Compared; with --non-inferior: no run is worse than the first",
    1: "With --non-inferior: a run is worse, or not shown to be no worse",
  },
  notes: [
    "A result folder has run.json or the summary of assay score --json, and samples.jsonl, so copies of results can be compared without the service. Runs with different suites, datasets, scoring or prompts are refused, as by the service. If samples share sources, folders of older versions are refused, because they do not name the sources.",
    `More than ${MAX_FILES} folders are only ranked by their headline, as on a board: values, intervals, ranks and groups, but no pairs and no other metrics ("pairs" is empty).`,
    "A run is named after its file, without folder and .jsonl; if that is ambiguous, with the folders that differ. Differences are the first run minus the other.",
    'Only samples with a row in every file are compared. A sample without a row is left out and counted for its file, whereas assay score gives it 0. A row with "error" is a failed request and scores 0. With the option "repeats", a sample counts as the mean of its rows.',
    'For the headline: values with 95% intervals, rank intervals, the share of resamples in which a run came first, and groups of runs that do not differ significantly from the first of the group (which does not show that they are equal: see --margin). For each pair: the difference with its interval, paired t-test and Wilcoxon signed-rank test with Holm correction over all pairs, Cohen\'s d, dz, win rate, the smallest detectable difference, and the samples needed to detect the observed one. A difference is significant if the corrected p of the t-test is below 0.05. Samples with the same tag "cluster" come from one source; then sources are resampled and tested.',
    "With --margin, each pair is tested for equivalence by two one-sided t-tests, corrected by Holm. A difference that is not significant does not show that runs are the same; this test can.",
    "With --non-inferior, the first run is the baseline of the others. A run is shown to be no worse if the 95% interval of the difference (run minus baseline) is above -N, or below N where lower is better, or if no compared sample scores worse.",
    "Keys of --json, as in GET /v1/compare: suite, dataset {name, version}, scoringVersion, frontiers {latency, cost}, bestBy, differing; runs {run, model, provenance, headline, samples, leftOut}, with the headline of the whole file and the number of its samples that are not compared; metrics, headline first, {metric, better, samples, units, standings, pairs, notes}.",
    "Additional keys for files: suiteVersion, options, seed; dataset {samples, malformed, malformedCount, warnings, warningsCount}; runs {missing, unscored, prices}: samples without a row, and samples that could not be scored. With --non-inferior also gates: a list of {passed, baseline, tested, changes, metrics}.",
    "The same content gives the same bytes: resamples are seeded by a SHA-256 of samples and answers. Files are read one at a time, line by line; memory holds a few columns of numbers for each.",
  ],
  examples: [
    "assay compare --dataset samples.jsonl --answers large.jsonl --answers small.jsonl",
    "assay compare extraction --dataset samples.jsonl --answers a/answers.jsonl --answers b/answers.jsonl",
    "assay compare --dataset samples.jsonl --answers a.jsonl --answers b.jsonl --output comparison.html",
    "assay compare --dataset samples.jsonl --answers before.jsonl --answers after.jsonl --margin eqs=0.02",
    "assay compare --dataset samples.jsonl --answers before.jsonl --answers after.jsonl --non-inferior eqs=0.02",
    "assay compare rubric --rubric rubric.yaml --dataset samples.jsonl --answers a.jsonl --answers b.jsonl",
    "assay compare results/run_01a2b3c4 results/run_05d6e7f8 --output comparison.html",
    "assay compare run_01a2b3c4 run_05d6e7f8 --output comparison.md",
    "assay compare --dataset samples.jsonl --answers a.jsonl --price-in 2.50 --price-out 10 \\",
    "  --answers b.jsonl --price-in 0.15 --price-out 0.60",
  ],
  async run(values, given, terminal) {
    const { output, answers = [], junit } = values;
    const source = comparisonSource(values, given);
    const gate = gateOf(values);
    const inputs = [values.dataset ?? [], values.options ?? [], answers].flat();
    const file = output === undefined ? null : await comparisonFile(output, inputs);
    let report: GateFile | null = null;
    try {
      if (junit !== undefined) report = gateFile(junit, inputs);
      const tests = {
        margins: marginsOf("--margin", values.margin ?? []),
        rules: gate?.rules ?? null,
      };
      const compared = await comparedOf(source, tests, values, terminal);
      const { stdout, stderr } = terminal;
      const now = Date.now();
      const shown = gate === null ? compared : withGates(compared, now);
      const printed = values.json ? flags.json.text(shown.json) : terminalText(shown.text, stdout);
      stdout.write(`${printed}\n`);
      file?.write(shown);
      if (gate === null) return;
      const { gates, placeOf } = compared;
      report?.write(gates);
      await writeGates(gates, gate.outputs, { stderr, now, placeOf });
      const failures = gates.flatMap(gateFailures);
      if (failures.length > 0) throw new NotPassed(failures.join("\n"));
    } finally {
      file?.abandon();
      report?.abandon();
    }
  },
});

/** The gate against the first run; null without a gate. Throws BadInput. */
function gateOf(values: CompareValues): ReturnType<typeof gateOfFlags> {
  const gate = gateOfFlags(values);
  if (gate !== null || values.junit === undefined) return gate;
  throw new BadInput("--junit needs --non-inferior");
}

function comparedOf(
  source: ComparisonSource,
  tests: Tests,
  values: CompareValues,
  terminal: Terminal,
): Promise<GatedComparison> {
  if (source.kind === "files") return ofFiles(source.task, tests, terminal);
  if (source.kind === "runs") return ofRuns(source.ids, tests, values, terminal);
  return ofFolders(source.folders, tests, values.output, terminal);
}

/** Additional tests of a comparison. */
interface Tests {
  margins: Margins;
  /** Null: no gates. */
  rules: GateRules | null;
}

/** A comparison with its gates; no gates without rules. */
interface GatedComparison extends ShownComparison {
  gates: Gate[];
  placeOf: SamplePlace;
}

/** Adds the gates before the parts of a comparison. */
function withGates({ gates, placeOf: _, ...shown }: GatedComparison, now: number): ShownComparison {
  const { title, about, parts } = gateText(gates, now);
  const { text, json } = shown;
  return {
    ...shown,
    json: { ...json, gates: gates.map(gateJson) },
    text: {
      title: text.title,
      about: [...text.about, title, ...about],
      parts: [...parts, ...text.parts],
    },
  };
}

/** Adds margin tests. Throws BadInput for a metric that is not compared, and for a margin outside the scale. */
function tested(comparison: Comparison, margins: Margins, { metrics }: Suite): Comparison {
  const found = withMargins(comparison, margins, metrics);
  if (found.ok) return found.value;
  throw new BadInput(`--margin: ${found.error}`);
}

async function ofFiles(
  task: ComparedFilesTask,
  { margins, rules }: Tests,
  { stdin, stderr }: Terminal,
): Promise<GatedComparison> {
  const { suite, options, dataset } = task;
  const files = await comparePaths({ ...task, stdin });
  const compared = { ...files, comparison: tested(files.comparison, margins, suite) };
  const left = malformedLines(dataset, compared);
  if (left.length > 0) stderr.write(`${left.join("\n")}\n`);
  const { comparison } = compared;
  const gates = rules === null ? [] : gatesOfFiles(compared, suite, rules, task.answers[0]!);
  const json = comparisonJson(suite, options, compared);
  const figures = new Map(files.files.map(({ name, scored }) => [name, scored.metrics]));
  const headline = comparison.metrics[0]?.metric ?? suite.headline;
  return {
    comparison,
    json,
    text: filesText(suite, compared),
    suite: { ...suite, headline },
    figures,
    samples: null,
    origin: null,
    gates,
    placeOf: placesIn(dataset, gates),
  };
}

async function ofFolders(
  folders: readonly string[],
  { margins, rules }: Tests,
  output: string | undefined,
  { stderr }: Terminal,
): Promise<GatedComparison> {
  const needsPairs = margins.size > 0 || rules !== null || output?.endsWith(".html");
  if (folders.length > MAX_FILES && needsPairs) {
    throw new BadInput(
      `more than ${MAX_FILES} folders are only ranked: leave out --margin, --non-inferior and .html, or give fewer`,
    );
  }
  stderr.write(`reading ${folders.map(printable).join(", ")}\n`);
  const { suite, scored, ...read } = compareFolders(folders);
  const comparison = tested(read.comparison, margins, suite);
  const text = runsText(suite, comparison);
  const [base, ...others] = rules === null ? [] : scored();
  const from = folders[0] ?? "";
  const gates = rules === null ? [] : gatesOf({ runs: [base!], from }, others, rules);
  const placeOf = () => null;
  return { ...read, comparison, json: comparison, text, suite, origin: null, gates, placeOf };
}

async function ofRuns(
  ids: readonly string[],
  { margins, rules }: Tests,
  { server, output }: CompareValues,
  { stderr }: Terminal,
): Promise<GatedComparison> {
  return withService({ server, scope: "submit", stderr }, async (service) => {
    const { suite, ...read } = await runsComparison(service, ids);
    const comparison = tested(read.comparison, margins, suite);
    const gates = rules === null ? [] : await gatesOfRuns(service, ids, rules);
    const headline = comparison.metrics[0]?.metric ?? suite.headline;
    const figures = output?.endsWith(".html") ? await figuresOfRuns(service, ids) : new Map();
    return {
      comparison,
      json: comparison,
      text: runsText(suite, comparison),
      suite: { ...suite, headline },
      figures,
      samples: null,
      origin: service.origin,
      gates,
      placeOf: () => null,
    };
  });
}

/** Gates of runs against the first run. */
async function gatesOfRuns(service: ServiceClient, ids: readonly string[], rules: GateRules) {
  const [base, ...tested] = await Promise.all(ids.map((id) => scoredRun(service, id)));
  return gatesOf({ runs: [base!], from: service.origin }, tested, rules);
}
