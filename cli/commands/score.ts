import { rankedBy } from "#shared/contracts/ranking.ts";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { refuseStdout } from "../score/output-file.ts";
import { pricesOf } from "../score/prices.ts";
import { malformedLines, warningLines } from "../score/row-lines.ts";
import type { ScoredFiles } from "../score/score-files.ts";
import { chosenSuite, readOptions, scorePaths } from "../score/score-paths.ts";
import { summaryJson } from "../score/summary-json.ts";
import { summaryText } from "../score/summary-text.ts";
import { command } from "./command.ts";

const suiteIds = suites.map(({ id }) => id);
const callSuites = suites
  .flatMap(({ id, readsToolCalls }) => (readsToolCalls ? [id] : []))
  .join(", ");
const judgedSuites = suites.flatMap(({ id, judging }) => (judging ? [id] : [])).join(", ");

const help = `assay score <suite> --dataset samples.jsonl --answers answers.jsonl [options]

Scores answers made elsewhere exactly as the service does: offline, without a server.

  <suite>           ${suiteIds.join(", ")}
  --dataset FILE    the samples, as the suite describes them: one JSON object a line, one JSON array, or
                    a folder samples/<id>/sample.json
  --answers FILE    the answers, one a line in any order; - reads standard input
                      {"id", "output", "thoughts"?, "finishReason"?, "refusal"?, "latencyMs"?,
                       "inputTokens"?, "outputTokens"?, "reasoningTokens"?,
                       "confidence"? or "logprobs"?, "source"?}
                      or, in suite ${callSuites}, {"id", "toolCalls": [{"name", "arguments"}], "output"?, …}
                      or, where no answer could be had, {"id", "error", "latencyMs"?}
                      in suite ${judgedSuites}, with {…, "judgments"?: {"<metric>": judgment}}
  --samples FILE    write a line per sample, in the dataset's order, with its counts and metrics;
                    - writes to standard output, and the summary to standard error
  --fields          in these lines, also the judgement of every field
  --options FILE    the suite's options, a JSON object; without it, the defaults
  --price-in USD    price of a million input tokens, and
  --price-out USD   of a million output tokens: with both, the cost is calculated
  --json            print every aggregate as one JSON object instead of a table
  --stats           print time and peak memory on standard error
  --help            show this

What a model thinks aloud in its output, as between <think> tags, is found and not scored; "thoughts" holds
what an endpoint gave apart from the output. The summary says how many answers have any.

A "finishReason" of "length" marks an output as cut off, a "refusal" an answer as refused; a field that
is not listed above is an error.

Nobody is asked for a judgment. One that comes with an answer has the fields of the metric's table, or is
a record {"judge", "judgment"}, or a list of either, a panel's; a metric that is left out is unjudged, and
so is one with a judgment of other fields, with a warning. A line of a run's samples has no output and so is
no row; with its output and judgments added it is one, and its scores are worked out anew.

Samples without an answer score 0 and count as not covered. Malformed samples are listed on standard
error and left out. With the option "repeats" an id may stand on that many rows; otherwise a second
row is an error, as is an answer whose sample the dataset lacks.

Intervals are drawn from a generator seeded by a SHA-256 of the samples and their answers, taken in
the dataset's order: the same content prints the same intervals, however its answers are ordered.
Files are read line by line; memory holds the suite's aggregate and some 60 bytes a sample.

Exit code: 0 when something was scored, 2 for input that needs a change.

Examples
  assay score extraction --dataset samples.jsonl --answers answers.jsonl
  assay score extraction --dataset samples.jsonl --answers - --samples scores.jsonl < answers.jsonl
  assay score extraction --dataset samples.jsonl --answers answers.jsonl --json > summary.json
  assay score extraction --dataset samples.jsonl --answers answers.jsonl --price-in 0.15 --price-out 0.6`;

const flags = {
  dataset: { type: "string" },
  answers: { type: "string" },
  samples: { type: "string" },
  options: { type: "string" },
  fields: { type: "boolean" },
  "price-in": { type: "string" },
  "price-out": { type: "string" },
  json: { type: "boolean" },
  stats: { type: "boolean" },
} as const;

type Values = Parameters<typeof scoreCommand.run>[0];

/** `assay score`: scores a file of answers against a file of samples. */
export const scoreCommand = command({
  name: "score",
  summary: "score answers made elsewhere, offline",
  help,
  flags,
  async run(values, positionals, { stdin, stdout, stderr }) {
    const suite = chosenSuite(positionals);
    const options = readOptions(suite, values.options);
    const prices = pricesOf(values["price-in"], values["price-out"]);
    const [dataset, answers] = [required(values, "dataset"), required(values, "answers")];
    const toStdout = values.samples === "-";
    if (values.json) refuseStdout("samples", values.samples);
    const scored = await scorePaths({
      suite,
      options,
      prices,
      dataset,
      answers,
      stdin,
      stdout,
      samples: values.samples ?? null,
      fields: values.fields ?? false,
    });
    const told = [
      ...warningLines(dataset, scored.warnings),
      ...warningLines(answers === "-" ? "stdin" : answers, scored.answerWarnings),
    ];
    const left = [...malformedLines(dataset, scored), ...(values.json ? [] : told)];
    if (left.length > 0) stderr.write(`${left.join("\n")}\n`);
    const summaryStream = toStdout ? stderr : stdout;
    const ranked = rankedBy(suite, scored.options);
    const printed = values.json
      ? JSON.stringify(summaryJson(ranked, scored), null, 2)
      : summaryText(ranked, scored, summaryStream);
    summaryStream.write(`${printed}\n`);
    if (values.stats) stderr.write(`${JSON.stringify(statsOf(scored))}\n`);
  },
});

function required(values: Values, name: "dataset" | "answers"): string {
  const value = values[name];
  if (value === undefined) throw new BadInput(`--${name} FILE is needed`);
  return value;
}

function statsOf({ samples }: ScoredFiles): object {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  return {
    samples,
    seconds: Number(process.uptime().toFixed(2)),
    cpuSeconds: Number(((userCPUTime + systemCPUTime) / 1e6).toFixed(2)),
    peakMemoryMb: Math.round(maxRSS / 1024),
  };
}
