import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { command, type Terminal, type Values, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { readJsonObject, writeNew, writeProblem } from "../files/open-file.ts";
import { withOutput } from "../files/output-file.ts";
import type { PlacedAnswer } from "../import/imported-answers.ts";
import { type ImportedModel, importedConfig } from "../import/imported-config.ts";
import type { ImportedTest } from "../import/imported-test.ts";
import { type ImportedSamples, importedSamples, testSuites } from "../import/imported-tests.ts";
import { inspectAnswers } from "../import/inspect-answers.ts";
import { inspectModel, inspectTests } from "../import/inspect-tests.ts";
import { promptfooAnswers } from "../import/promptfoo-answers.ts";
import { promptfooModels, promptfooTests } from "../import/promptfoo-tests.ts";
import {
  answerFlags,
  answerNotes,
  idField,
  reading,
  writeAnswers,
} from "../import/write-answers.ts";
import { counted } from "../terminal/format-value.ts";
import { printable } from "../terminal/printable.ts";

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

type ImportValues = Values<typeof sampleFlags> & Values<typeof answerFlags>;

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
  if (values.to !== undefined) makeFolder(values.to);
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

/** `assay import inspect`: answers, and with flags samples, rubric and config. */
export const importInspectCommand = command({
  name: "import inspect",
  summary: "import answers from a log of Inspect",
  description: [
    "Converts a log of Inspect to answers for assay score: in the format .eval, also with chunked samples, or in JSON. A log without samples, as with --no-log-samples, is refused. With --to, or --samples and --rubric, inputs and targets become samples, grades recorded judgments, and the model a config.",
  ],
  positionals: [{ name: "file", help: "The log to import" }],
  flags: {
    "id-field": idField("Field of a sample's metadata with its id; default the sample's own id"),
    ...answerFlags,
    scorer: valueFlag(
      "NAME",
      "Scorer whose grades become recorded judgments; default model_graded_qa or model_graded_fact, else match, includes and the like",
      { section: "Samples" },
    ),
    ...sampleFlags,
  },
  notes: answerNotes,
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
      const repeats = await writeAnswers({ path, answers }, all, terminal);
      if (made === null) return;
      const { model, notes: left } = await inspectModel(log);
      tell(terminal, [...left, ...writeConfig([model], all, made, repeats)]);
    });
  },
});

/** `assay import promptfoo`: the same. */
export const importPromptfooCommand = command({
  name: "import promptfoo",
  summary: "import answers from results of promptfoo",
  description: [
    "Converts a file that promptfoo wrote with --output results.json, version 3, to answers for assay score. With --to, or --samples and --rubric, its tests become samples, assertions that ask a model criteria, their results recorded judgments, and the providers a config; without, results of assertions are ignored.",
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
    ...answerFlags,
    ...sampleFlags,
  },
  notes: answerNotes,
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
      const repeats = await writeAnswers({ path, answers }, all, terminal);
      if (made === null) return;
      tell(terminal, writeConfig(promptfooModels(file), all, made, repeats));
    });
  },
});
