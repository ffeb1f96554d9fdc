import { command, valueFlag } from "../../command-line/command.ts";
import { inspectAnswers, openInspectLog } from "../../import/inspect-answers.ts";
import { inspectModel, inspectTests } from "../../import/inspect-tests.ts";
import {
  type PromptfooFile,
  promptfooAnswers,
  promptfooProviders,
} from "../../import/promptfoo-answers.ts";
import { promptfooModels, promptfooNotes, promptfooTests } from "../../import/promptfoo-tests.ts";
import { readDocument } from "../../import/read-document.ts";
import {
  answerFlags,
  answerNotes,
  idField,
  reading,
  writeAnswers,
} from "../../import/write-answers.ts";
import { sampleFlags, samplesOf, withFolder, writeTests } from "../../import/write-tests.ts";

/** `assay import inspect`: answers, and with flags samples, rubric and config. */
export const importInspectCommand = command({
  name: "import inspect",
  summary: "import answers from a log of Inspect",
  description: [
    "Converts a log of Inspect, in the format .eval (also with chunked samples) or in JSON, to answers for assay score. A log without samples, as with --no-log-samples, is refused. With --to, or --samples and --rubric, inputs and targets become samples, grades become recorded judgments, and the model becomes a config.",
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

/** `assay import promptfoo`: answers, and with flags samples, rubric and config. */
export const importPromptfooCommand = command({
  name: "import promptfoo",
  summary: "import answers from results of promptfoo",
  description: [
    "Converts a file that promptfoo wrote with --output results.json, version 3, to answers for assay score. With --to, or --samples and --rubric, its tests become samples, assertions that ask a model become criteria, their results become recorded judgments, and the providers become a config. Otherwise results of assertions are ignored.",
  ],
  positionals: [{ name: "file", help: "The file to import" }],
  flags: {
    provider: valueFlag(
      "ID",
      "Id or label of the provider; default all of them with --to, else required if there are several",
    ),
    prompt: valueFlag(
      "N|LABEL",
      "Number of the prompt among the provider's prompts, from 0, or its label; required if there are several",
    ),
    "id-field": idField(
      "Variable, or field of a test's metadata, or description, with the sample's id; default \"id\", else the test's number",
    ),
    "text-field": valueFlag(
      "NAME",
      "Variable that holds the input; the rest of the prompt becomes a prompt of the config. Default: the prompt's only variable, else the whole prompt",
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
      const { provider = null, prompt = null, "text-field": text = null } = all;
      const { "id-field": idField = null } = all;
      const document = readDocument(path, "; promptfoo writes JSON with --output results.json");
      const file = { path, document, idField, provider, prompt };
      const files = filesOf(file, values);
      const made = await samplesOf(testsOf(files, text), all);
      if (made === null) {
        await writeAnswers({ path, answers: promptfooAnswers(file) }, all, terminal);
        return;
      }
      const isWhole = made.prompts?.user === "{query}";
      const left = new Set(files.flatMap((one) => promptfooNotes(one, isWhole)));
      await writeTests(
        made,
        { path, models: promptfooModels(file), left: [...left] },
        all,
        terminal,
      );
    });
  },
});

/** A file for each requested provider; all providers if --to is given. */
function filesOf(
  file: PromptfooFile,
  { to, out }: { to?: string | undefined; out?: string | undefined },
): PromptfooFile[] {
  const labels = [...new Set(promptfooProviders(file).map((names) => names.at(-1)!))];
  const areAll = file.provider === null && to !== undefined && out === undefined;
  return areAll && labels.length > 1 ? labels.map((provider) => ({ ...file, provider })) : [file];
}

function* testsOf(files: readonly PromptfooFile[], text: string | null) {
  for (const file of files) yield* promptfooTests(file, text);
}
