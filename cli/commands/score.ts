import { rankedBy, suiteFor } from "#shared/contracts/boards/ranking.ts";
import { suites } from "#shared/suites/registry.ts";
import { command, jsonFlag, valueFlag } from "../command-line/command.ts";
import { suiteIds, suiteNamed } from "../command-line/suite-choice.ts";
import { NotPassed } from "../errors.ts";
import { refuseStdout } from "../files/output-file.ts";
import { malformedLines, warningLines } from "../files/row-lines.ts";
import { checkLimit, failUnderFlag, limitsOfFlags, outcomeText } from "../run/limit.ts";
import { pricesOf } from "../score/prices.ts";
import type { ScoredFiles } from "../score/score-files.ts";
import { optionFlags, ownOptions, readOptions, scorePaths } from "../score/score-paths.ts";
import { summaryJson, summarySchema } from "../score/summary-json.ts";
import { summaryText } from "../score/summary-text.ts";

const callSuites = suites
  .flatMap(({ id, readsToolCalls }) => (readsToolCalls ? [id] : []))
  .join(", ");
const judgedSuites = suites.flatMap(({ id, judging }) => (judging ? [id] : [])).join(", ");

/** Files of samples and answers. */
export const fileFlags = {
  dataset: valueFlag(
    "FILE",
    "Samples: JSON Lines, a JSON array, or a folder samples/<id>/sample.json",
    { required: true },
  ),
  answers: valueFlag(
    "FILE",
    "Answers: JSON Lines in any order, or a JSON array; - reads standard input",
    {
      required: true,
    },
  ),
  ...optionFlags,
} as const;

const flags = {
  ...fileFlags,
  samples: valueFlag(
    "FILE",
    "Write one line per sample, in the dataset's order, with counts and metrics; - writes to standard output and moves the summary to standard error",
  ),
  all: {
    type: "boolean",
    help: "Print every metric, the errors and what to change, instead of the main figures",
  },
  fields: { type: "boolean", help: "With --samples, include the judgment of every field" },
  options: valueFlag("FILE", "Options of the suite, a JSON object"),
  "price-in": valueFlag(
    "USD",
    "Price per million input tokens; with --price-out, cost is calculated",
  ),
  "price-out": valueFlag("USD", "Price per million output tokens"),
  "fail-under": failUnderFlag("the answers score"),
  json: jsonFlag(summarySchema, "Print every aggregate as one JSON object"),
  stats: { type: "boolean", help: "Print time and peak memory to standard error" },
} as const;

/** `assay score`: scores a file of answers against a file of samples. */
export const scoreCommand = command({
  name: "score",
  summary: "score answers made elsewhere, offline",
  description: [
    "Scores answers made elsewhere exactly as the service does, offline and without a server.",
  ],
  positionals: [{ name: "suite", help: "Suite of the samples", choices: suiteIds }],
  flags,
  exitCodes: { 1: "With --fail-under: a limit was missed" },
  notes: [
    'Rows of answers: {"id", "output", "thoughts"?, "finishReason"?, "refusal"?, "latencyMs"?, "inputTokens"?, "outputTokens"?, "reasoningTokens"?, "confidence"? or "logprobs"?, "source"?}; for a failed request {"id", "error", "latencyMs"?}. Any other field is an error.',
    `In suite ${callSuites}: {"id", "toolCalls": [{"name", "arguments"}], "output"?, …}. In suite ${judgedSuites}, rows may have "judgments": {"<metric>": judgment}.`,
    'Thoughts in the output, such as text between <think> tags, are detected and not scored; "thoughts" holds thoughts that an endpoint returned separately. A "finishReason" of "length" marks the output as truncated, "refusal" the answer as refused.',
    'No judge is called. A judgment has the fields of the metric\'s table, or is {"judge", "judgment"}, or a list of either for a panel. A missing judgment, or one with other fields (reported as a warning), leaves the metric unjudged. Lines of a run\'s samples.jsonl have no output; add output and judgments to score them again.',
    "Samples without an answer score 0 and count as not covered. Malformed samples are listed on standard error and left out. A duplicate id is an error unless --repeats allows it; so is an answer to an unknown sample.",
    "Interval seeds are a SHA-256 of samples and answers in the dataset's order, so the same content always gives the same intervals. Files are read line by line; memory is the suite's aggregate plus about 60 bytes a sample. Large files are scored in up to four threads, with the same bytes.",
  ],
  examples: [
    "assay score extraction --dataset samples.jsonl --answers answers.jsonl",
    "assay score extraction --dataset samples.jsonl --answers - --samples scores.jsonl < answers.jsonl",
    "assay score extraction --dataset samples.jsonl --answers answers.jsonl --json > summary.json",
    "assay score extraction --dataset samples.jsonl --answers answers.jsonl --price-in 0.15 --price-out 0.6",
    "assay score extraction --dataset samples.jsonl --answers answers.jsonl --fail-under eqs=0.8",
  ],
  async run(values, [suiteId], { stdin, stdout, stderr }) {
    const known = suiteNamed(suiteId);
    const options = readOptions(known, values.options, ownOptions(values));
    const suite = suiteFor(known, options);
    const prices = pricesOf(values["price-in"], values["price-out"]);
    const limits = limitsOfFlags(suite, values["fail-under"] ?? []);
    const { dataset, answers } = values;
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
    const warnings = [
      ...warningLines(dataset, scored.warnings),
      ...warningLines(answers === "-" ? "stdin" : answers, scored.answerWarnings),
    ];
    const left = [...malformedLines(dataset, scored), ...(values.json ? [] : warnings)];
    if (left.length > 0) stderr.write(`${left.join("\n")}\n`);
    const summaryStream = toStdout ? stderr : stdout;
    const ranked = rankedBy(suite, scored.options);
    const outcomes = limits.map((one) => checkLimit(scored.summary, one));
    const printed = values.json
      ? flags.json.text(summaryJson(ranked, scored, outcomes))
      : summaryText(ranked, scored, summaryStream, { isWhole: values.all ?? false });
    summaryStream.write(`${printed}\n`);
    if (values.stats) stderr.write(`${JSON.stringify(statsOf(scored))}\n`);
    const missed = outcomes.filter(({ isMet }) => !isMet);
    if (missed.length > 0) throw new NotPassed(missed.map(outcomeText).join("\n"));
  },
});

function statsOf({ samples }: ScoredFiles): object {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  return {
    samples,
    seconds: Number(process.uptime().toFixed(2)),
    cpuSeconds: Number(((userCPUTime + systemCPUTime) / 1e6).toFixed(2)),
    peakMemoryMb: Math.round(maxRSS / 1024),
  };
}
