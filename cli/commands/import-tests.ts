import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { command, type Terminal, type Values, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { readJsonObject, writeNew, writeProblem } from "../files/open-file.ts";
import { withOutput } from "../files/output-file.ts";
import { type ImportedModel, importedConfig } from "../import/imported-config.ts";
import type { ImportedTest } from "../import/imported-test.ts";
import { type ImportedSamples, importedSamples, testSuites } from "../import/imported-tests.ts";
import { inspectAnswers, openInspectLog } from "../import/inspect-answers.ts";
import { inspectModel, inspectTests } from "../import/inspect-tests.ts";
import { promptfooAnswers } from "../import/promptfoo-answers.ts";
import { promptfooModels, promptfooTests } from "../import/promptfoo-tests.ts";
import { readDocument } from "../import/read-document.ts";
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

/** What an import of tests has besides the tests. */
interface Imported {
  path: string;
  models: readonly ImportedModel[];
  /** What is not taken over of the models. */
  left: readonly string[];
}

/** Tests as samples, if flags ask for them; null: they do not. Throws BadInput. */
function samplesOf(
  tests: AsyncIterable<ImportedTest> | Iterable<ImportedTest>,
  { samples, rubric, suite = "rubric", schema }: ImportValues,
): Promise<ImportedSamples> | null {
  if (samples === undefined && rubric === undefined) return null;
  return importedSamples(tests, suite, schema === undefined ? null : readJsonObject(schema));
}

/** Writes samples, answers, rubric and config: all that flags ask for, or nothing. Throws BadInput. */
async function writeTests(
  made: ImportedSamples,
  imported: Imported,
  values: ImportValues,
  terminal: Terminal,
): Promise<void> {
  const { samples: out = null, schema, to } = values;
  const { path } = imported;
  const rubric = rubricFile(made, values);
  const config = configFile(made, imported, values);
  if (to !== undefined) makeFolder(to);
  await writeAnswers(
    {
      path,
      answers: made.answers,
      alongside: () =>
        withOutput(
          { out, stdout: terminal.stdout },
          [path, ...(schema ? [schema] : [])],
          (output) => {
            for (const row of made.rows) output?.add(JSON.stringify(row));
            writeNew(...rubric.files, ...config.files);
          },
        ),
    },
    values,
    terminal,
  );
  const { suite = "rubric" } = values;
  const count = `${counted(made.rows.length, "sample")} of the suite ${suite}: ${out}`;
  tell(terminal, [
    ...made.notes,
    ...(out === null ? [] : [count]),
    ...rubric.notes,
    ...config.notes,
  ]);
}

const tell = ({ stderr }: Pick<Terminal, "stderr">, lines: readonly string[]) =>
  stderr.write(lines.map((line) => `${printable(line)}\n`).join(""));

/** A file to write, or none, and what to say of it. */
interface NewFile {
  files: (readonly [path: string, text: string])[];
  notes: string[];
}

function rubricFile({ rubric }: ImportedSamples, { rubric: path }: ImportValues): NewFile {
  if (path === undefined) return { files: [], notes: [] };
  if (rubric === null) {
    const why = "no rubric: no test has a check that asks a model, or an expected answer";
    return { files: [], notes: [why] };
  }
  const criteria = rubric.criteria.map(({ id }) => id).join(", ");
  return { files: [[path, stringify(rubric)]], notes: [`rubric of ${criteria}: ${path}`] };
}

/** The config, and what comes next. */
function configFile(
  { rubric, template, answers, repeats }: ImportedSamples,
  { models, left }: Imported,
  values: ImportValues,
): NewFile {
  const { config, samples = "", suite = "rubric", rubric: rubricFile = null, out } = values;
  if (config === undefined) return { files: [], notes: [...left] };
  if (suite === "rubric" && rubric === null) {
    return { files: [], notes: [...left, "no config: there is no rubric"] };
  }
  const files = { config, samples, rubric: suite === "rubric" ? rubricFile : null };
  const { yaml, notes } = importedConfig(models, template, { suite, files, repeats });
  const by = files.rubric === null ? "" : ` --rubric ${files.rubric}`;
  const repeated = repeats > 1 ? ` --repeats ${repeats}` : "";
  const isJudged = answers.some(({ answer }) => answer.judgments !== undefined);
  const next = [
    ...notes,
    "Next: score what there is, then ask the models again",
    ...(out === undefined || out === "-" || (suite === "rubric" && !isJudged)
      ? []
      : [`  assay score ${suite}${by} --dataset ${samples} --answers ${out}${repeated}`]),
    `  assay run --config ${config}`,
  ];
  return { files: [[config, yaml]], notes: [...left, ...next] };
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
      const log = openInspectLog(path, field);
      const made = await samplesOf(inspectTests(log, scorer), all);
      if (made === null) {
        await writeAnswers({ path, answers: inspectAnswers(log) }, all, terminal);
        return;
      }
      const { model, notes: left } = await inspectModel(log);
      await writeTests(made, { path, models: [model], left }, all, terminal);
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
      const document = readDocument(path);
      const { prompt = null } = all;
      const file = { path, document, idField: field, provider, prompt };
      const made = await samplesOf(promptfooTests(file, text), all);
      if (made === null) {
        await writeAnswers({ path, answers: promptfooAnswers(file) }, all, terminal);
        return;
      }
      await writeTests(made, { path, models: promptfooModels(file), left: [] }, all, terminal);
    });
  },
});
