import { z } from "zod";
import {
  command,
  jsonFlag,
  type Terminal,
  type Values,
  valueFlag,
} from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { type OutputPlace, withOutput } from "../files/output-file.ts";
import { checkedAnswer, type PlacedAnswer } from "../import/imported-answers.ts";
import { inspectAnswers } from "../import/inspect-answers.ts";
import { lmEvalAnswers } from "../import/lm-eval-answers.ts";
import { promptfooAnswers } from "../import/promptfoo-answers.ts";
import { counted, formatCount } from "../terminal/format-value.ts";

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

const notes = [
  'A sample with several answers gets as many lines: score them with the option "repeats".',
];

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
    await write(
      { path, answers: lmEvalAnswers({ path, idField: field, filter }) },
      values,
      terminal,
    );
  },
});

const importInspect = command({
  name: "import inspect",
  summary: "import answers from a log of Inspect",
  description: [
    'Converts an Inspect log in JSON to answers for assay score; "inspect log dump FILE.eval" converts the format .eval to JSON. A log without samples, as with --no-log-samples, is refused.',
  ],
  positionals: [{ name: "file", help: "The log to import" }],
  flags: {
    "id-field": idField("Field of a sample's metadata with its id; default the sample's own id"),
    ...flags,
  },
  notes,
  examples: [
    "inspect log dump logs/invoices.eval > log.json",
    "assay import inspect log.json --out answers.jsonl",
  ],
  async run(values, [path], terminal) {
    const { "id-field": field = null } = values;
    await write({ path, answers: inspectAnswers({ path, idField: field }) }, values, terminal);
  },
});

const importPromptfoo = command({
  name: "import promptfoo",
  summary: "import answers from results of promptfoo",
  description: [
    "Converts a file that promptfoo wrote with --output results.json, version 3, to answers for assay score. Results of its assertions are ignored.",
  ],
  positionals: [{ name: "file", help: "The file to import" }],
  flags: {
    provider: valueFlag("ID", "Id or label of the provider; required if there are several"),
    prompt: valueFlag("N", "Number of the prompt, from 0; required if there are several"),
    "id-field": idField(
      "Variable, or field of a test's metadata, with the sample's id; default \"id\"",
    ),
    ...flags,
  },
  notes,
  examples: [
    "assay import promptfoo results.json --provider openai:gpt-5 --id-field case --out answers.jsonl",
  ],
  async run(values, [path], terminal) {
    const { provider = null, "id-field": field = "id" } = values;
    const prompt = promptNumber(values.prompt);
    await write(
      { path, answers: promptfooAnswers({ path, idField: field, provider, prompt }) },
      values,
      terminal,
    );
  },
});

/** `assay import` for answers of other evaluation tools. */
export const importAnswersCommands = [importLmEval, importInspect, importPromptfoo];

/** What to import, and the destination. */
interface AnswersImport extends OutputPlace {
  /** The other tool's file. */
  path: string;
  answers: Iterable<PlacedAnswer>;
}

async function write(
  what: Pick<AnswersImport, "path" | "answers">,
  values: Values<typeof flags>,
  { stdout, stderr }: Terminal,
): Promise<void> {
  const { out = null, json = false } = values;
  const { answers, samples, errors } = await importAnswers({ ...what, out, stdout });
  const where = out === "-" ? "on standard output" : `in ${out}`;
  const failed = errors === 0 ? "" : `; ${formatCount(errors)} failed requests`;
  const text = [
    `Imported ${counted(answers, "answer")} to ${counted(samples, "sample")}${failed}`,
    out === null ? "Nothing was written: --out FILE saves the answers" : `The answers are ${where}`,
  ].join("\n");
  const printed = json ? flags.json.text({ answers, samples, errors, out }) : text;
  (out === "-" ? stderr : stdout).write(`${printed}\n`);
}

/** Writes another tool's answers in the format of `assay score`; the file appears only when complete. Throws BadInput. */
function importAnswers({
  path,
  answers,
  ...place
}: AnswersImport): Promise<Omit<z.infer<typeof resultSchema>, "out">> {
  return withOutput(place, [path], (output) => {
    const ids = new Set<string>();
    let [count, errors] = [0, 0];
    for (const placed of answers) {
      const answer = checkedAnswer(placed);
      output?.add(JSON.stringify(answer));
      ids.add(answer.id);
      count++;
      if (typeof answer.error === "string") errors++;
    }
    if (count === 0) throw new BadInput(`${path}: no answers found`);
    return { answers: count, samples: ids.size, errors };
  });
}

function promptNumber(given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^\d{1,6}$/.test(given)) return Number(given);
  throw new BadInput(`--prompt must be the number of a prompt, from 0; not "${given}"`);
}
