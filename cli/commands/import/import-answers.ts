import { stringify } from "yaml";
import { bounds, cutText } from "#shared/contracts/bounds.ts";
import { counted } from "#shared/contracts/text/counted.ts";
import { command, valueFlag } from "../../command-line/command.ts";
import { BadInput } from "../../errors.ts";
import { writeNew } from "../../files/open-file.ts";
import { lmEvalAnswers } from "../../import/lm-eval-answers.ts";
import { openAiEvalsAnswers } from "../../import/openai-evals-answers.ts";
import { type MappedGraders, mappedGraders } from "../../import/openai-graders.ts";
import { parquetAnswers } from "../../import/parquet-answers.ts";
import {
  answerFlags,
  answerNotes,
  idField,
  reading,
  writeAnswers,
} from "../../import/write-answers.ts";
import { printable } from "../../terminal/text.ts";
import { importInspectCommand, importPromptfooCommand } from "./import-tests.ts";

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
    ...answerFlags,
  },
  notes: answerNotes,
  examples: ["assay import lm-eval samples_invoices_2026-11-20.jsonl --out answers.jsonl"],
  async run(values, [path], terminal) {
    const { filter = null, "id-field": field = null } = values;
    await reading(path, async () => {
      await writeAnswers(
        { path, answers: lmEvalAnswers({ path, idField: field, filter }) },
        values,
        terminal,
      );
    });
  },
});

/** Maximum listed graders; an eval usually has a few. */
const MOST_GRADERS = 100;
/** Maximum length of a grader's name or type in the list. */
const LONGEST_NAME = 100;

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
    ...answerFlags,
  },
  notes: [
    ...answerNotes,
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
      const onGrader = (name: string, type: string) => {
        if (graders.size < MOST_GRADERS) {
          graders.set(cutText(name, LONGEST_NAME), cutText(type, LONGEST_NAME));
        }
      };
      const answers = openAiEvalsAnswers({ path, idField: field, onGrader });
      const mapped = from === undefined ? null : mappedGraders(from);
      const alongside = async () => {
        if (to !== undefined && mapped?.rubric) writeNew([to, stringify(mapped.rubric)]);
      };
      await writeAnswers({ path, answers, alongside }, values, terminal);
      terminal.stderr.write(gradersText(mapped, graders, to));
    });
  },
});

/** One line per grader with its outcome. */
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
      : mapped.outcomes.slice(0, MOST_GRADERS).map(({ name, type, criterion, note }) => {
          const outcome = criterion === null ? "not mapped" : `criterion ${criterion}`;
          const [named, kind] = [name, type].map((one) => cutText(one, LONGEST_NAME));
          return `grader "${named}" (${kind}): ${outcome}: ${cutText(note, bounds.message)}`;
        });
  const more = (mapped?.outcomes.length ?? 0) - MOST_GRADERS;
  if (more > 0) lines.push(counted(more, "more grader"));
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
    ...answerFlags,
  },
  notes: answerNotes,
  examples: ["assay import parquet answers.parquet --output-field response --out answers.jsonl"],
  async run(values, [path], terminal) {
    const { "id-field": id = "id", "output-field": output = "output" } = values;
    const answers = parquetAnswers({ path, idField: id, outputField: output });
    await writeAnswers({ path, answers }, values, terminal);
  },
});

/** `assay import` for answers of other evaluation tools. */
export const importAnswersCommands = [
  importLmEval,
  importInspectCommand,
  importPromptfooCommand,
  importOpenAiEvals,
  importParquet,
];
