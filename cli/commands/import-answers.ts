import { BadInput } from "../bad-input.ts";
import { type AnswersImport, importAnswers } from "../import/import-answers.ts";
import { inspectAnswers } from "../import/inspect-answers.ts";
import { lmEvalAnswers } from "../import/lm-eval-answers.ts";
import { promptfooAnswers } from "../import/promptfoo-answers.ts";
import { counted, formatCount } from "../score/format-value.ts";
import { command, type Terminal } from "./command.ts";

const flags = {
  "id-field": { type: "string" },
  out: { type: "string" },
  json: { type: "boolean" },
} as const;
const common = `  --out FILE        write the answers there, one a line; - writes to standard output, and the summary to
                    standard error. Without it nothing is written: the summary says what would be
  --json            print the summary as one JSON object
  --help            show this

A sample that was answered several times has as many lines: score them with the option "repeats".

Exit code: 0 when all was imported, 2 for input that needs a change.`;

/** `assay import lm-eval`: answers of lm-evaluation-harness. */
export const importLmEvalCommand = command({
  name: "import lm-eval",
  summary: "take answers from lm-evaluation-harness (--log_samples)",
  help: `assay import lm-eval FILE [--filter NAME] [--id-field FIELD] [--out answers.jsonl]

Makes answers for assay score of a file samples_<task>_<date>.jsonl of lm-evaluation-harness, as written with
--log_samples. Tasks that compare likelihoods of given texts have no answers, and are refused.

  --filter NAME     what this filter made of the answers; without it, what the model said
  --id-field FIELD  the document's field that holds the sample's id; without it "id", or else doc_id
${common}

Examples
  assay import lm-eval samples_invoices_2026-11-20.jsonl --out answers.jsonl`,
  flags: { ...flags, filter: { type: "string" } },
  async run(values, positionals, terminal) {
    const path = onePath(positionals);
    const { filter = null, "id-field": idField = null } = values;
    write({ path, answers: lmEvalAnswers({ path, idField, filter }) }, values, terminal);
  },
});

/** `assay import inspect`: answers of Inspect. */
export const importInspectCommand = command({
  name: "import inspect",
  summary: "take answers from a log of Inspect",
  help: `assay import inspect FILE [--id-field FIELD] [--out answers.jsonl]

Makes answers for assay score of an Inspect log in JSON; "inspect log dump FILE.eval" prints one of the format
.eval. A log without samples, as of --no-log-samples, is refused.

  --id-field FIELD  the field of a sample's metadata that holds its id; without it, the sample's own id
${common}

Examples
  inspect log dump logs/invoices.eval > log.json
  assay import inspect log.json --out answers.jsonl`,
  flags,
  async run(values, positionals, terminal) {
    const path = onePath(positionals);
    const { "id-field": idField = null } = values;
    write({ path, answers: inspectAnswers({ path, idField }) }, values, terminal);
  },
});

/** `assay import promptfoo`: answers of promptfoo. */
export const importPromptfooCommand = command({
  name: "import promptfoo",
  summary: "take answers from results of promptfoo",
  help: `assay import promptfoo FILE [--provider ID] [--prompt N] [--id-field FIELD] [--out answers.jsonl]

Makes answers for assay score of a file that promptfoo wrote with --output results.json, in version 3. What
its assertions made of an answer is left aside.

  --provider ID     id or label of the provider; needed where there are several
  --prompt N        number of the prompt, from 0; needed where there are several
  --id-field FIELD  the variable, or field of a test's metadata, that holds the sample's id; without it "id"
${common}

Examples
  assay import promptfoo results.json --provider openai:gpt-5 --id-field case --out answers.jsonl`,
  flags: { ...flags, provider: { type: "string" }, prompt: { type: "string" } },
  async run(values, positionals, terminal) {
    const path = onePath(positionals);
    const { provider = null, "id-field": idField = "id" } = values;
    const prompt = promptNumber(values.prompt);
    write(
      { path, answers: promptfooAnswers({ path, idField, provider, prompt }) },
      values,
      terminal,
    );
  },
});

function write(
  what: Pick<AnswersImport, "path" | "answers">,
  values: { out?: string; json?: boolean },
  { stdout, stderr }: Terminal,
): void {
  const { out = null, json = false } = values;
  const { answers, samples, errors } = importAnswers({ ...what, out, stdout });
  const where = out === "-" ? "on standard output" : `in ${out}`;
  const failed = errors === 0 ? "" : `; ${formatCount(errors)} could not be had`;
  const text = [
    `Imported ${counted(answers, "answer")} to ${counted(samples, "sample")}${failed}`,
    out === null ? "Nothing was written: --out FILE keeps the answers" : `The answers are ${where}`,
  ].join("\n");
  const printed = json ? JSON.stringify({ answers, samples, errors, out }, null, 2) : text;
  (out === "-" ? stderr : stdout).write(`${printed}\n`);
}

function onePath([path, surplus]: readonly string[]): string {
  if (path === undefined) throw new BadInput("name the file to import");
  if (surplus !== undefined) throw new BadInput(`one file at a time; "${surplus}" is too much`);
  return path;
}

function promptNumber(given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^\d{1,6}$/.test(given)) return Number(given);
  throw new BadInput(`--prompt takes the number of a prompt, from 0; not "${given}"`);
}
