import { z } from "zod";
import { counted } from "#shared/contracts/text/counted.ts";
import {
  command,
  jsonFlag,
  type Terminal,
  type Values,
  valueFlag,
} from "../../command-line/command.ts";
import { BadInput, NotPassed } from "../../errors.ts";
import { refuseStdout } from "../../files/output-file.ts";
import {
  type Agreement,
  agreementSchema,
  bfclAgreement,
  bfclAnswers,
  bfclSamples,
  type Disagreement,
} from "../../import/bfcl-agreement.ts";
import { type BfclFiles, bfclFiles } from "../../import/bfcl-files.ts";
import { importBfcl } from "../../import/import-bfcl.ts";
import { reading, writeAnswers } from "../../import/write-answers.ts";
import { formatCount, printable, textTable } from "../../terminal/text.ts";
import { functionsFlag } from "./import-bfcl.ts";

const json = jsonFlag(
  z.object({
    categories: z.array(agreementSchema),
    below: z
      .array(z.string())
      .meta({ description: "categories below --fail-under, or of which nothing was compared" }),
  }),
  "With --scores: print the agreement as one JSON object",
);

/** Maximum ids that are listed per class. */
const NAMED = 5;

const flags = {
  cases: valueFlag(
    "PATH",
    "The cases, as for assay import bfcl: a file, or the folder of BFCL's data",
    {
      required: true,
    },
  ),
  answers: valueFlag(
    "PATH",
    "Accepted answers: a file, or a folder; by default possible_answer in the folder of cases",
  ),
  functions: functionsFlag,
  scores: valueFlag(
    "PATH",
    "BFCL's scores of the same results: a file, or a folder with the same subfolders",
  ),
  "fail-under": valueFlag(
    "SHARE",
    "Exit with 1 if a category agrees on less than this share, such as 0.985",
  ),
  out: valueFlag(
    "FILE",
    "Write the answers of one file to FILE as JSON Lines; - writes to standard output",
  ),
  json,
} as const;

/** `assay import bfcl-results`: recorded outputs of BFCL, and the agreement of its verdicts with this suite's. */
export const importBfclResultsCommand = command({
  name: "import bfcl-results",
  summary: "import results of BFCL, and check that suite tools gives the same verdicts",
  description: [
    "Converts a result file of BFCL to answers for assay score, also of several turns. With --scores, scores the answers of all files by BFCL's rules of texts and arguments, and prints how often the verdicts agree, by category.",
  ],
  positionals: [
    {
      name: "results",
      help: "Files of results, such as BFCL_v4_multiple_result.json, or folders of them",
      many: true,
    },
  ],
  flags,
  exitCodes: {
    1: "With --fail-under: agreement in a category is too low, or none of it could be compared",
  },
  notes: [
    "These rules are the options textRules: bfcl and strictArguments: true. The methodology of the suite lists the classes of answers on which the two differ.",
    "BFCL data are under the Apache License 2.0.",
  ],
  examples: [
    "assay import bfcl-results BFCL_v4_multi_turn_base_result.json \\",
    "  --cases BFCL_v4_multi_turn_base.json --answers possible_answer/BFCL_v4_multi_turn_base.json \\",
    "  --functions multi_turn_func_doc --out answers.jsonl",
    "assay import bfcl-results result/ --cases bfcl_eval/data --scores score/ --fail-under 0.985",
  ],
  async run(values, results, terminal) {
    const { cases, answers = null, functions = null, scores = null } = values;
    if (values.json) refuseStdout("out", values.out);
    const floor = floorOf(values);
    const files = bfclFiles({ results, cases, answers, functions, scores });
    await reading(results.join(", "), async () => {
      if (values.out !== undefined || scores === null) await importOne(files, values, terminal);
      if (scores === null) return;
      const found = bfclAgreement(files);
      const below = belowOf(found, floor);
      const result = { categories: found, below: below.map(({ category }) => category) };
      const text = values.json ? json.text(result) : agreementText(found);
      (values.out === "-" ? terminal.stderr : terminal.stdout).write(`${text}\n`);
      if (floor !== null && below.length > 0) {
        throw new NotPassed(below.map((one) => failureText(one, floor)).join("\n"));
      }
    });
  },
});

/** The minimum agreement; null without --fail-under. Throws BadInput. */
function floorOf({ json: isJson, scores, "fail-under": given }: Values<typeof flags>) {
  if (scores === undefined && (isJson || given !== undefined)) {
    throw new BadInput(
      `--${isJson ? "json" : "fail-under"} is about the agreement: add --scores PATH`,
    );
  }
  if (given === undefined) return null;
  const share = Number(given);
  if (given.trim() !== "" && share >= 0 && share <= 1) return share;
  throw new BadInput(`--fail-under must be a share from 0 to 1, such as 0.985, not "${given}"`);
}

async function importOne(
  [file, ...more]: readonly BfclFiles[],
  { out, json: isJson }: Values<typeof flags>,
  terminal: Terminal,
): Promise<void> {
  if (file === undefined || more.length > 0) {
    throw new BadInput(
      "only one file of results is imported at a time; several are compared with --scores PATH",
    );
  }
  const { results: path, cases, answers, functions, category } = file;
  if (cases === null) throw new BadInput(`--cases: the folder has no cases of ${category}`);
  const samples = bfclSamples({ cases, answers, functions });
  // Throws with the reason why there is no sample.
  if (samples.size === 0) {
    await importBfcl({ cases, answers, functions, out: null, stdout: terminal.stdout });
  }
  const place = isJson ? { ...terminal, stdout: terminal.stderr } : terminal;
  let left = 0;
  const imported = bfclAnswers(path, samples, () => left++);
  await writeAnswers({ path, answers: imported }, { out }, place);
  if (left === 0) return;
  terminal.stderr.write(
    `${counted(left, "answer")} left out: no usable case in --cases; assay import bfcl says why a case can't be used\n`,
  );
}

/** Categories whose cases never become samples. Source: the suite's methodology, "relevance". */
const leftOutCategories =
  /(^|_)(java|javascript|relevance|memory|web_search|long_context|format_sensitivity)(_|$)/;

/** Categories below the minimum agreement, or without compared answers. Throws BadInput if no answer was compared. */
function belowOf(found: readonly Agreement[], floor: number | null) {
  if (found.every(({ compared }) => compared === 0)) {
    throw new BadInput("no answer could be compared: --cases has no usable case for any answer");
  }
  if (floor === null) return [];
  return found.filter(({ category, agreed, compared }) =>
    compared === 0 ? !leftOutCategories.test(category) : agreed < floor * compared,
  );
}

function failureText({ category, agreed, compared, leftOut }: Agreement, floor: number): string {
  return compared === 0
    ? `${category}: none of ${counted(leftOut, "answer")} could be compared; check --cases, --answers and --functions`
    : `${category}: verdicts agree on ${agreed} of ${counted(compared, "answer")}, less than ${percent(floor)}`;
}

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

/** A table by category, then the disagreements. */
function agreementText(found: readonly Agreement[]): string {
  const sum = (name: "compared" | "agreed" | "right" | "bfclRight" | "leftOut") =>
    found.reduce((total, one) => total + one[name], 0);
  const all = {
    category: "all",
    compared: sum("compared"),
    agreed: sum("agreed"),
    right: sum("right"),
    bfclRight: sum("bfclRight"),
    leftOut: sum("leftOut"),
  };
  const rows = (found.length > 1 ? [...found, all] : found).map((one) => {
    const { compared, agreed, right, bfclRight, leftOut } = one;
    const shares = [agreed, right, bfclRight].map((count) =>
      compared === 0 ? "–" : percent(count / compared),
    );
    return [printable(one.category), formatCount(compared), ...shares, formatCount(leftOut)];
  });
  const head = ["category", "answers", "agreement", "right here", "right at BFCL", "left out"];
  const kinds = found.flatMap(({ category, disagreements }) =>
    disagreements.map((one) => printable(`${category}: ${disagreementText(one)}`)),
  );
  return [
    ...textTable([head, ...rows], (column) => column === 0),
    ...(all.leftOut === 0 ? [] : ["Left out: answers without a usable case"]),
    ...(kinds.length === 0 ? [] : ["", "Disagreements", ...kinds]),
  ].join("\n");
}

function disagreementText({ rightOnly, class: name, count, ids }: Disagreement): string {
  const [here, there] = rightOnly === "here" ? ["here", "at BFCL"] : ["at BFCL", "here"];
  const named = `${ids.slice(0, NAMED).join(", ")}${count > NAMED ? ", …" : ""}`;
  return `${counted(count, "answer")} right only ${here}; ${there}: ${name} (${named})`;
}
