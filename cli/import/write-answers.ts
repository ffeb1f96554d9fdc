import { z } from "zod";
import { counted } from "#shared/contracts/text/counted.ts";
import { jsonFlag, type Terminal, type Values, valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { type OutputPlace, withOutput } from "../files/output-file.ts";
import { checkedAnswer, type PlacedAnswer } from "./imported-answers.ts";

const resultSchema = z.object({
  answers: z.int(),
  samples: z.int().meta({ description: "distinct ids: a sample may be answered several times" }),
  errors: z.int().meta({ description: "failed requests" }),
  out: z.string().nullable().meta({ description: "file of the answers; null: none" }),
});

/** Flags of every import of answers. */
export const answerFlags = {
  out: valueFlag(
    "FILE",
    "Write the answers to FILE as JSON Lines; - writes to standard output and moves the summary to standard error. Without it only the summary is printed",
  ),
  json: jsonFlag(resultSchema, "Print the summary as one JSON object"),
} as const;

/** Help notes for every import of answers. */
export const answerNotes = [
  "A sample with several answers gets one line for each: score them with --repeats.",
];

/** The flag for the field with sample ids. */
export const idField = (help: string) => valueFlag("FIELD", help);

/** Reads a file of another tool, whose values may have any shape. Throws BadInput. */
export async function reading(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    throw new BadInput(`${path}: its content is not as its tool writes it: ${error.message}`);
  }
}

/** The source and destination of an import. */
interface AnswersImport extends OutputPlace {
  /** The other tool's file. */
  path: string;
  answers: Iterable<PlacedAnswer> | AsyncIterable<PlacedAnswer>;
  /** Writes related files; if this fails, no file of answers is written. */
  alongside?(): Promise<void>;
}

/** Writes answers and returns their number. Throws BadInput. */
export async function writeAnswers(
  what: Omit<AnswersImport, keyof OutputPlace>,
  values: Values<typeof answerFlags>,
  { stdout, stderr }: Terminal,
): Promise<void> {
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
  const printed = json ? answerFlags.json.text({ answers, samples, errors, out }) : text;
  (out === "-" ? stderr : stdout).write(`${printed}\n`);
}

/** Writes another tool's answers in the format of `assay score`; the file appears only when complete. Throws BadInput. */
function importAnswers({
  path,
  answers,
  alongside,
  ...place
}: AnswersImport): Promise<Omit<z.infer<typeof resultSchema>, "out"> & { most: number }> {
  return withOutput(place, [path], async (output) => {
    const counts = new Map<string, number>();
    let [count, errors, most] = [0, 0, 0];
    for await (const placed of answers) {
      const answer = checkedAnswer(placed);
      output?.add(JSON.stringify(answer));
      const repeats = (counts.get(answer.id) ?? 0) + 1;
      counts.set(answer.id, repeats);
      most = Math.max(most, repeats);
      count++;
      if (typeof answer.error === "string") errors++;
    }
    if (count === 0) throw new BadInput(`${path}: no answers found`);
    await alongside?.();
    return { answers: count, samples: counts.size, errors, most };
  });
}
