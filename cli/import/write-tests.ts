import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { counted } from "#shared/contracts/text/counted.ts";
import { type Terminal, type Values, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { readJsonObject, writeNew, writeProblem } from "../files/open-file.ts";
import { withOutput } from "../files/output-file.ts";
import { assayCommand, printable } from "../terminal/text.ts";
import type { PlacedAnswer } from "./imported-answers.ts";
import { type ImportedModel, importedConfig } from "./imported-config.ts";
import type { ImportedTest } from "./imported-test.ts";
import { type ImportedSamples, importedSamples, testSuites } from "./imported-tests.ts";
import { type answerFlags, writeAnswers } from "./write-answers.ts";

/** Flags of imports whose tests become samples. */
export const sampleFlags = {
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
  rubric: valueFlag("FILE", "Write the judge's criteria as a rubric, YAML", {
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

/**
 * Flags with default files in the folder of --to; other flags take precedence. Throws BadInput if an editable file
 * exists.
 */
export function withFolder<Given extends ImportValues>(values: Given): Given {
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
    throw new BadInput(
      `${there}: file exists, and may have changes of yours; choose another name, or another folder with --to`,
    );
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

/** Data of an import in addition to the tests. */
interface Imported {
  path: string;
  models: readonly ImportedModel[];
  /** Notes on what is not mapped, and the tool's result. */
  left: readonly string[];
}

/** Tests as samples if requested by flags, otherwise null. Throws BadInput. */
export function samplesOf(
  tests: AsyncIterable<ImportedTest> | Iterable<ImportedTest>,
  { samples, rubric, suite = "rubric", schema: path, config }: ImportValues,
): Promise<ImportedSamples> | null {
  if (samples === undefined && rubric === undefined) return null;
  const schema = path === undefined ? null : readJsonObject(path);
  return importedSamples(tests, { suite, schema, hasConfig: config !== undefined });
}

/** Writes the requested samples, answers, rubric and config: all files or none. Throws BadInput. */
export async function writeTests(
  made: ImportedSamples,
  imported: Imported,
  values: ImportValues,
  terminal: Terminal,
): Promise<void> {
  const { samples: out = null, schema, to } = values;
  const { path } = imported;
  const files = answerFiles(made, values);
  const rubric = rubricFile(made, values);
  const config = configFile(made, imported, values, files);
  if (to !== undefined) makeFolder(to);
  const inputs = [path, ...(schema ? [schema] : [])];
  const writeSamples = () =>
    withOutput({ out, stdout: terminal.stdout }, inputs, (output) => {
      for (const row of made.rows) output?.add(JSON.stringify(row));
      writeNew(...rubric.files, ...config.files);
    });
  // A file appears when all files that are written after it are complete.
  const write = files.reduce<() => Promise<void>>(
    (alongside, { answers, ...file }) =>
      () =>
        writeAnswers({ path, answers, alongside }, { ...values, ...file }, terminal),
    writeSamples,
  );
  await write();
  const { suite = "rubric" } = values;
  const count = `${counted(made.rows.length, "sample")} of the suite ${suite}: ${out}`;
  tell(terminal, [
    ...made.notes,
    ...(out === null ? [] : [count]),
    ...rubric.notes,
    ...config.notes,
  ]);
}

/** A file of one model's answers. */
interface AnswerFile {
  answers: readonly PlacedAnswer[];
  out?: string;
}

/** The file of answers; with several models, one file per model in the folder of --to. Throws BadInput. */
function answerFiles({ answers }: ImportedSamples, { to, json }: ImportValues): AnswerFile[] {
  if (answers.size === 1) return [...answers.values()].map((rows) => ({ answers: rows }));
  if (json === true) throw new BadInput("--json prints one summary: choose one with --provider");
  const names = new Set<string>();
  return [...answers].map(([model, rows]) => {
    const name = model.replace(/[^\w.-]+/g, "_").slice(0, LONGEST_NAME);
    const own = names.has(name) ? `${name}_${names.size + 1}` : name;
    names.add(own);
    return { answers: rows, out: join(to ?? "", `answers-${own}.jsonl`) };
  });
}

/** Maximum length of a model's name in a file name. */
const LONGEST_NAME = 60;

const tell = ({ stderr }: Pick<Terminal, "stderr">, lines: readonly string[]) =>
  stderr.write(lines.map((line) => `${printable(line)}\n`).join(""));

/** At most one file to write, and the text to print. */
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

/** The config file, and the next command to print. */
function configFile(
  { rubric, prompts, answers, repeats }: ImportedSamples,
  { models, left }: Imported,
  values: ImportValues,
  written: readonly AnswerFile[],
): NewFile {
  const { config, samples = "", suite = "rubric", rubric: rubricFile = null, out } = values;
  if (config === undefined) return { files: [], notes: [...left] };
  if (suite === "rubric" && rubric === null) {
    return { files: [], notes: [...left, "no config: there is no rubric"] };
  }
  const files = { config, samples, rubric: suite === "rubric" ? rubricFile : null };
  const { yaml, notes } = importedConfig(models, prompts, { suite, files, repeats });
  const by = files.rubric === null ? "" : ` --rubric ${files.rubric} --pass-score 1`;
  const flags = `${suite}${by}${repeats > 1 ? ` --repeats ${repeats}` : ""} --dataset ${samples}`;
  const isJudged = [...answers.values()].flat().some(({ answer }) => answer.judgments);
  const given = written
    .map((one) => one.out ?? out)
    .filter((path) => path !== undefined && path !== "-")
    .map((path) => `--answers ${path}`);
  const isScored = given.length > 0 && (suite !== "rubric" || isJudged);
  const next = [
    ...notes,
    "Next: score what there is, then ask the models again",
    ...(isScored ? given.map((answered) => `  ${assayCommand} score ${flags} ${answered}`) : []),
    ...(isScored && given.length > 1
      ? [`  ${assayCommand} compare ${flags} ${given.join(" ")}`]
      : []),
    `  ${assayCommand} run --config ${config}`,
  ];
  return { files: [[config, yaml]], notes: [...left, ...next] };
}
