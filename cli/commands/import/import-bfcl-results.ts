import { z } from "zod";
import { command, jsonFlag, valueFlag } from "../../command-line/command.ts";
import { BadInput } from "../../errors.ts";
import { refuseStdout } from "../../files/output-file.ts";
import {
  type Agreement,
  bfclAgreement,
  bfclAnswers,
  bfclSamples,
} from "../../import/bfcl-agreement.ts";
import { reading, writeAnswers } from "../../import/write-answers.ts";
import { counted } from "../../terminal/format-value.ts";
import { printable } from "../../terminal/printable.ts";
import { worldFlags } from "./import-bfcl.ts";

const differing = z.array(z.object({ id: z.string(), reason: z.string() }));
const json = jsonFlag(
  z.object({
    compared: z.int(),
    agreed: z.int(),
    agreement: z.number().nullable().meta({ description: "share of the compared answers" }),
    accuracy: z.number().nullable().meta({ description: "by this suite" }),
    bfclAccuracy: z.number().nullable().meta({ description: "by BFCL, of the same answers" }),
    rightOnlyHere: differing.meta({ description: "with BFCL's reason; the first 100" }),
    rightOnlyAtBfcl: differing.meta({ description: "with this suite's reason; the first 100" }),
    leftOut: z.int().meta({ description: "answers to cases that can't be samples" }),
  }),
  "With --scores: print the agreement as one JSON object",
);

/** `assay import bfcl-results`: recorded outputs of BFCL, and how far its verdicts agree with this suite's. */
export const importBfclResultsCommand = command({
  name: "import bfcl-results",
  summary: "import recorded outputs of BFCL, and compare its verdicts with those of suite tools",
  description: [
    "Converts a result file of BFCL to answers for assay score, also of several turns. With --scores, scores them by BFCL's rules of texts and arguments, and says how often the verdicts agree.",
  ],
  positionals: [{ name: "file", help: "The results, such as BFCL_v4_simple_python_result.json" }],
  flags: {
    cases: valueFlag("FILE", "The cases, as for assay import bfcl", { required: true }),
    answers: valueFlag("FILE", "Accepted answers, as for assay import bfcl"),
    ...worldFlags,
    scores: valueFlag("FILE", "BFCL's score file of the same results"),
    out: valueFlag("FILE", "Write the answers to FILE as JSON Lines; - writes to standard output"),
    json,
  },
  notes: [
    "The rules are those of textRules: bfcl and strictArguments: true. The methodology of the suite lists the classes of answers on which the two differ.",
    "BFCL data are under the Apache License 2.0.",
  ],
  examples: [
    "assay import bfcl-results BFCL_v4_multi_turn_base_result.json \\",
    "  --cases BFCL_v4_multi_turn_base.json --answers possible_answer/BFCL_v4_multi_turn_base.json \\",
    "  --functions multi_turn_func_doc --scores BFCL_v4_multi_turn_base_score.json",
  ],
  async run(values, [path], terminal) {
    const { cases, answers = null, functions = null, unpadded = false, scores } = values;
    if (values.json) refuseStdout("out", values.out);
    if (values.json && scores === undefined) {
      throw new BadInput("--json prints the agreement: add --scores FILE");
    }
    await reading(path, async () => {
      const samples = bfclSamples({ cases, answers, functions, isUnpadded: unpadded });
      if (values.out !== undefined || scores === undefined) {
        const { stderr } = terminal;
        const place = values.json ? { ...terminal, stdout: stderr } : terminal;
        await writeAnswers(
          { path, answers: bfclAnswers(path, samples) },
          { out: values.out },
          place,
        );
      }
      if (scores === undefined) return;
      const agreement = bfclAgreement(path, scores, samples);
      const text = values.json ? json.text(agreement) : agreementText(agreement);
      (values.out === "-" ? terminal.stderr : terminal.stdout).write(`${text}\n`);
    });
  },
});

const percent = (share: number | null): string =>
  share === null ? "–" : `${(100 * share).toFixed(2)}%`;

function agreementText(found: Agreement): string {
  const { compared, agreed, agreement, accuracy, bfclAccuracy, leftOut } = found;
  const listed = (title: string, list: Agreement["rightOnlyHere"]) =>
    list.length === 0
      ? []
      : ["", `${title}:`, ...list.map(({ id, reason }) => `  ${printable(`${id}  ${reason}`)}`)];
  return [
    `Verdicts agree on ${agreed} of ${counted(compared, "answer")}: ${percent(agreement)}`,
    `Right here ${percent(accuracy)}, at BFCL ${percent(bfclAccuracy)}`,
    ...(leftOut === 0 ? [] : [`${counted(leftOut, "answer")} to cases that can't be samples`]),
    ...listed("Right only here, with BFCL's reason", found.rightOnlyHere),
    ...listed("Right only at BFCL, with the reason here", found.rightOnlyAtBfcl),
  ].join("\n");
}
