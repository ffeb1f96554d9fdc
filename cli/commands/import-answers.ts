import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import {
  command,
  jsonFlag,
  type Terminal,
  type Values,
  valueFlag,
} from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { readJsonObject, writeNew, writeProblem } from "../files/open-file.ts";
import { type OutputPlace, withOutput } from "../files/output-file.ts";
import { checkedAnswer, type PlacedAnswer } from "../import/imported-answers.ts";
import { type ImportedModel, importedConfig } from "../import/imported-config.ts";
import type { ImportedTest } from "../import/imported-test.ts";
import { type ImportedSamples, importedSamples, testSuites } from "../import/imported-tests.ts";
import { inspectAnswers } from "../import/inspect-answers.ts";
import { inspectModel, inspectTests } from "../import/inspect-tests.ts";
import { lmEvalAnswers } from "../import/lm-eval-answers.ts";
import { openAiEvalsAnswers } from "../import/openai-evals-answers.ts";
import { type MappedGraders, mappedGraders } from "../import/openai-graders.ts";
import { parquetAnswers } from "../import/parquet-answers.ts";
import { promptfooAnswers } from "../import/promptfoo-answers.ts";
import { promptfooModels, promptfooTests } from "../import/promptfoo-tests.ts";
import { counted } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";

const resultSchema = z.object({
  answers: z.int(),
  samples: z.int().meta({ description: "distinct ids: a sample may be answered several times" }),
  errors: z.int().meta({ description: "failed requests" }),
  out: z.string().nullable().meta({ description: "file of the answers; null: none" }),
});

const flags = {
  out: valueFlag(
    "FILE",
    "Write the answers to FILE as JSON Lines; - writes to standard output and moves the summary to standard error. Without it only the summary is printed",
  ),
  json: jsonFlag(resultSchema, "Print the summary as one JSON object"),
} as const;

const notes = ["A sample with several answers gets as many lines: score them with --repeats."];

const idField = (help: string) => valueFlag("FIELD", help);

const importLmEval = command({
  name: "import lm-eval",
  summary: "import answers from lm-evaluation-harness (--log_samples)",
  description: [
    "Converts a file samples_<task>_<date>.jsonl of lm-evaluation-harness, written with --log_samples, to answers for assay score. Tasks that compare likelihoods of given texts have no answers and are refused.",
  ],
  positionals: [{ name: "file", help: "The file to import" }],
  flags: {
    filter: valueFlag("NAME", "Use the answers after this filter instead of the raw ones"),
    "id-field": idField('Field of the document with the sample\'s id; default "id", else doc_id'),
    ...flags,
  },
  notes,
  examples: ["assay import lm-eval samples_invoices_2026-11-20.jsonl --out answers.jsonl"],
  async run(values, [path], terminal) {
    const { filter = null, "id-field": field = null } = values;
    await reading(path, async () => {
      await write(
        { path, answers: lmEvalAnswers({ path, idField: field, filter }) },
        values,
        terminal,
      );
    });
  },
});

const sampleFlags = {
  to: valueFlag(
    "FOLDER",
    "Write everything below into a folder: samples.jsonl, answers.jsonl, rubric.yaml (suite rubric) and assay.yaml",
    { section: "Samples" },
  ),
  samples: valueFlag("FILE", "Write the tests as samples of a suite, JSON Lines", {
    section: "Samples",
  }),
  suite: valueFlag(
    "SUITE",
    "Suite of these samples: rubric, in which a judge grades answers by criteria, or extraction, which compares JSON field by field",
    { section: "Samples", choices: testSuites, default: "rubric" },
  ),
  rubric: valueFlag("FILE", "Write what a judge is asked as a rubric, YAML", {
    section: "Samples",
  }),
  schema: valueFlag("FILE", "JSON Schema of the answers, for samples of extraction", {
    section: "Samples",
  }),
  config: valueFlag("FILE", "Write a config of these samples and the same models, for assay run", {
    section: "Samples",
  }),
} as const;

/** Reads a file of another tool, whose values may have any shape. Throws BadInput. */
async function reading(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    throw new BadInput(`${path}: its content is not as its tool writes it: ${error.message}`);
  }
}

type ImportValues = Values<typeof sampleFlags> & Values<typeof flags>;

/** Flags with the files of --to; files named by flags of their own take precedence. Throws BadInput if one of a user exists. */
function withFolder<Given extends ImportValues>(values: Given): Given {
  const { to, suite = "rubric" } = values;
  const isRubric = suite === "rubric";
  const usual =
    to === undefined
      ? {}
      : {
          samples: join(to, "samples.jsonl"),
          out: join(to, "answers.jsonl"),
          config: join(to, "assay.yaml"),
          ...(isRubric && { rubric: join(to, "rubric.yaml") }),
        };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const all: Given = { ...values, ...usual, ...Object.fromEntries(given) };
  const { samples, rubric, config } = all;
  if (rubric !== undefined && !isRubric) {
    throw new BadInput(`--rubric needs --suite rubric, not ${suite}`);
  }
  if (config !== undefined && (samples === undefined || (isRubric && rubric === undefined))) {
    const needs = isRubric ? "--samples FILE and --rubric FILE" : "--samples FILE";
    throw new BadInput(`--config names files of the import: add ${needs}`);
  }
  if (samples !== undefined && samples !== "-" && samples === all.out) {
    throw new BadInput("--samples and --out name one file: give two");
  }
  const there = [rubric, config].find((path) => path !== undefined && existsSync(path));
  if (there !== undefined) {
    throw new BadInput(`${there}: file exists, and may have changes of yours: choose another name`);
  }
  if (to !== undefined) makeFolder(to);
  return all;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw writeProblem(path, error);
  }
}

/** Tests as samples, and their checks as a rubric, written where flags ask for them; null: they do not. Throws BadInput. */
async function writeTests(
  tests: AsyncIterable<ImportedTest> | Iterable<ImportedTest>,
  path: string,
  values: Values<typeof sampleFlags>,
  { stdout, stderr }: Terminal,
): Promise<ImportedSamples | null> {
  const { samples: out, rubric: rubricFile, suite = "rubric", schema } = values;
  if (out === undefined && rubricFile === undefined) return null;
  const given = schema === undefined ? null : readJsonObject(schema);
  const made = await importedSamples(tests, suite, given);
  const { rows, rubric } = made;
  const notes = [...made.notes];
  if (out !== undefined) {
    await withOutput({ out, stdout }, [path, ...(schema ? [schema] : [])], async (output) => {
      for (const row of rows) output?.add(JSON.stringify(row));
    });
    notes.push(`${counted(rows.length, "sample")} of the suite ${suite}: ${out}`);
  }
  if (rubricFile !== undefined && rubric !== null) {
    writeNew(rubricFile, stringify(rubric));
    notes.push(`rubric of ${rubric.criteria.map(({ id }) => id).join(", ")}: ${rubricFile}`);
  } else if (rubricFile !== undefined) {
    notes.push("no rubric: no test has a check that asks a model, or an expected answer");
  }
  tell({ stderr }, notes);
  return made;
}

const tell = ({ stderr }: Pick<Terminal, "stderr">, lines: readonly string[]) =>
  stderr.write(lines.map((line) => `${printable(line)}\n`).join(""));

/** Writes the config that a flag asks for, and says what comes next. Throws BadInput if the file exists. */
function writeConfig(
  models: readonly ImportedModel[],
  values: ImportValues,
  { rubric, template, judgments }: ImportedSamples,
  repeats: number,
): string[] {
  const { config, samples = "", suite = "rubric", rubric: rubricFile = null, out } = values;
  if (config === undefined) return [];
  if (suite === "rubric" && rubric === null) return ["no config: there is no rubric"];
  const files = { config, samples, rubric: suite === "rubric" ? rubricFile : null };
  const { yaml, notes } = importedConfig(models, template, { suite, files, repeats });
  writeNew(config, yaml);
  const by = files.rubric === null ? "" : ` --rubric ${files.rubric}`;
  const repeated = repeats > 1 ? ` --repeats ${repeats}` : "";
  return [
    ...notes,
    "Next: score what there is, then ask the models again",
    ...(out === undefined || out === "-" || (suite === "rubric" && judgments.size === 0)
      ? []
      : [`  assay score ${suite}${by} --dataset ${samples} --answers ${out}${repeated}`]),
    `  assay run --config ${config}`,
  ];
}

/** Answers to the samples, with the other tool's verdicts as judgments. */
async function* withVerdicts(
  answers: AsyncIterable<PlacedAnswer> | Iterable<PlacedAnswer>,
  made: ImportedSamples | null,
): AsyncGenerator<PlacedAnswer> {
  const ids = made && new Set(made.rows.map((row) => row["id"]));
  for await (const { place, test = place, answer } of answers) {
    if (ids !== null && !ids.has(answer.id as string)) continue;
    const judgments = answer.error === undefined ? made?.judgments.get(test) : undefined;
    yield { place, answer: { ...answer, ...(judgments && { judgments }) } };
  }
}

const importInspect = command({
  name: "import inspect",
  summary: "import answers from a log of Inspect",
  description: [
    "Converts a log of Inspect to answers for assay score: in the format .eval, also with chunked samples, or in JSON. A log without samples, as with --no-log-samples, is refused. With --samples and --rubric, inputs and targets become samples, and grades recorded judgments.",
  ],
  positionals: [{ name: "file", help: "The log to import" }],
  flags: {
    "id-field": idField("Field of a sample's metadata with its id; default the sample's own id"),
    ...flags,
    scorer: valueFlag(
      "NAME",
      "Scorer whose grades become recorded judgments; default model_graded_qa or model_graded_fact, else match, includes and the like",
      { section: "Samples" },
    ),
    ...sampleFlags,
  },
  notes,
  examples: [
    "assay import inspect logs/2026-11-20_invoices.eval --out answers.jsonl",
    "assay import inspect logs/2026-11-20_support.eval --to support",
  ],
  async run(values, [path], terminal) {
    const all = withFolder(values);
    await reading(path, async () => {
      const { "id-field": field = null, scorer = null } = all;
      const log = { path, idField: field };
      const made = await writeTests(inspectTests(log, scorer), path, all, terminal);
      const answers = withVerdicts(inspectAnswers(log), made);
      const repeats = await write({ path, answers }, all, terminal);
      if (made === null) return;
      const { model, notes: left } = await inspectModel(log);
      tell(terminal, [...left, ...writeConfig([model], all, made, repeats)]);
    });
  },
});

const importPromptfoo = command({
  name: "import promptfoo",
  summary: "import answers from results of promptfoo",
  description: [
    "Converts a file that promptfoo wrote with --output results.json, version 3, to answers for assay score. Results of its assertions are ignored; with --samples and --rubric, its tests become samples, assertions that ask a model become criteria, and their results recorded judgments.",
  ],
  positionals: [{ name: "file", help: "The file to import" }],
  flags: {
    provider: valueFlag("ID", "Id or label of the provider; required if there are several"),
    prompt: valueFlag(
      "N|LABEL",
      "Number of the prompt among those of the provider, from 0, or its label; required if there are several",
    ),
    "id-field": idField(
      "Variable, or field of a test's metadata, with the sample's id; default \"id\", else the test's number",
    ),
    "text-field": valueFlag(
      "NAME",
      "Variable that becomes the text of a sample, without the rest of the prompt; default the whole prompt",
      { section: "Samples" },
    ),
    ...flags,
    ...sampleFlags,
  },
  notes,
  examples: [
    "assay import promptfoo results.json --provider openai:gpt-5 --id-field case --out answers.jsonl",
    "assay import promptfoo results.json --to support",
  ],
  async run(values, [path], terminal) {
    const all = withFolder(values);
    await reading(path, async () => {
      const { provider = null, "id-field": field = null, "text-field": text = null } = all;
      const file = { path, idField: field, provider, prompt: all.prompt ?? null };
      const made = await writeTests(promptfooTests(file, text), path, all, terminal);
      const answers = withVerdicts(promptfooAnswers(file), made);
      const repeats = await write({ path, answers }, all, terminal);
      if (made === null) return;
      tell(terminal, writeConfig(promptfooModels(file), all, made, repeats));
    });
  },
});

const importOpenAiEvals = command({
  name: "import openai-evals",
  summary: "import answers from a run of OpenAI's Evals platform",
  description: [
    "Converts output items of a run of OpenAI's Evals API, one a line or as a page of the API, to answers for assay score. Graders that ask a model become criteria of a rubric; the others are listed with the reason. Results of graders are ignored.",
  ],
  positionals: [{ name: "file", help: "The output items" }],
  flags: {
    eval: valueFlag("FILE", "The eval, as GET /v1/evals/{id} returns it: for its graders"),
    rubric: valueFlag("FILE", "Write a rubric of the graders in --eval that ask a model"),
    "id-field": idField('Field of a data source item with its id; default "id", else its number'),
    ...flags,
  },
  notes: [
    ...notes,
    "The platform is read-only and closes on 2026-11-30: download what you need before.",
  ],
  examples: [
    "assay import openai-evals items.jsonl --eval eval.json --rubric rubric.yaml --out answers.jsonl",
  ],
  async run(values, [path], terminal) {
    const { eval: from, rubric: to, "id-field": field = null } = values;
    if (to !== undefined && from === undefined) {
      throw new BadInput("--rubric needs the graders: add --eval FILE");
    }
    await reading(path, async () => {
      const graders = new Map<string, string>();
      const onGrader = (name: string, type: string) => graders.set(name, type);
      const answers = openAiEvalsAnswers({ path, idField: field, onGrader });
      const mapped = from === undefined ? null : mappedGraders(from);
      await write({ path, answers }, values, terminal);
      if (to !== undefined && mapped?.rubric) writeNew(to, stringify(mapped.rubric));
      terminal.stderr.write(gradersText(mapped, graders, to));
    });
  },
});

/** The outcome of each grader, a line each. */
function gradersText(
  mapped: MappedGraders | null,
  graders: ReadonlyMap<string, string>,
  rubric: string | undefined,
): string {
  const lines =
    mapped === null
      ? [...graders].map(
          ([name, type]) => `grader "${name}" (${type}): not mapped: add --eval FILE`,
        )
      : mapped.outcomes.map(({ name, type, criterion, note }) => {
          const outcome = criterion === null ? "not mapped" : `criterion ${criterion}`;
          return `grader "${name}" (${type}): ${outcome}: ${note}`;
        });
  const written = mapped?.rubric && rubric !== undefined ? [`The rubric is in ${rubric}`] : [];
  return [...lines, ...written].map((line) => `${printable(line)}\n`).join("");
}

const importParquet = command({
  name: "import parquet",
  summary: "import answers from a Parquet file",
  description: [
    "Converts a Parquet file with an answer in each row to answers for assay score. Columns are named like the fields of an answer, such as latencyMs; others are ignored.",
  ],
  positionals: [{ name: "file", help: "The file to import" }],
  flags: {
    "id-field": idField('Column with the samples\' ids; default "id"'),
    "output-field": idField('Column with the model\'s output; default "output"'),
    ...flags,
  },
  notes,
  examples: ["assay import parquet answers.parquet --output-field response --out answers.jsonl"],
  async run(values, [path], terminal) {
    const { "id-field": id = "id", "output-field": output = "output" } = values;
    const answers = parquetAnswers({ path, idField: id, outputField: output });
    await write({ path, answers }, values, terminal);
  },
});

/** `assay import` for answers of other evaluation tools. */
export const importAnswersCommands = [
  importLmEval,
  importInspect,
  importPromptfoo,
  importOpenAiEvals,
  importParquet,
];

/** What to import, and the destination. */
interface AnswersImport extends OutputPlace {
  /** The other tool's file. */
  path: string;
  answers: Iterable<PlacedAnswer> | AsyncIterable<PlacedAnswer>;
}

/** The most answers to one sample. */
async function write(
  what: Pick<AnswersImport, "path" | "answers">,
  values: Values<typeof flags>,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const { out = null, json = false } = values;
  const { answers, samples, errors, most } = await importAnswers({ ...what, out, stdout });
  const where = out === "-" ? "on standard output" : `in ${out}`;
  const failed = errors === 0 ? "" : `; ${counted(errors, "failed request")}`;
  const repeated =
    most === 1 ? [] : [`A sample has up to ${most} answers: score them with --repeats ${most}`];
  const text = [
    `Imported ${counted(answers, "answer")} to ${counted(samples, "sample")}${failed}`,
    ...repeated,
    out === null ? "The answers were not saved: --out FILE saves them" : `The answers are ${where}`,
  ].join("\n");
  const printed = json ? flags.json.text({ answers, samples, errors, out }) : text;
  (out === "-" ? stderr : stdout).write(`${printed}\n`);
  return most;
}

/** Writes another tool's answers in the format of `assay score`; the file appears only when complete. Throws BadInput. */
function importAnswers({
  path,
  answers,
  ...place
}: AnswersImport): Promise<Omit<z.infer<typeof resultSchema>, "out"> & { most: number }> {
  return withOutput(place, [path], async (output) => {
    const counts = new Map<string, number>();
    let [count, errors, most] = [0, 0, 0];
    for await (const placed of answers) {
      const answer = checkedAnswer(placed);
      output?.add(JSON.stringify(answer));
      const its = (counts.get(answer.id) ?? 0) + 1;
      counts.set(answer.id, its);
      most = Math.max(most, its);
      count++;
      if (typeof answer.error === "string") errors++;
    }
    if (count === 0) throw new BadInput(`${path}: no answers found`);
    return { answers: count, samples: counts.size, errors, most };
  });
}
