import { bfclReasons } from "#shared/suites/tools/bfcl/bfcl-schema.ts";
import { BadInput } from "../bad-input.ts";
import { importBfcl } from "../import/import-bfcl.ts";
import { importedJson } from "../import/imported-json.ts";
import { importedText } from "../import/imported-text.ts";
import { malformedLines } from "../score/row-lines.ts";
import { command } from "./command.ts";

const reasons = Object.entries(bfclReasons)
  .map(([reason, meaning]) => `  ${reason.padEnd(16)}${meaning}`)
  .join("\n");

const help = `assay import bfcl --cases cases.jsonl [--answers answers.jsonl] [--out samples.jsonl]

Makes samples of the suite tools from cases of the Berkeley Function Calling Leaderboard (BFCL).

  --cases FILE     cases, one JSON object a line: {"id", "question", "function", "category"?,
                   "ground_truth"?}, as in bfcl_eval/data/BFCL_v4_*.json
  --answers FILE   accepted answers, {"id", "ground_truth"} a line, as in bfcl_eval/data/possible_answer;
                   not needed where the cases have them
  --out FILE       write the samples there; - writes to standard output, and the summary to standard
                   error. Without it nothing is written: the summary says what would be
  --json           print the summary as one JSON object, with the ids of what was left out
  --help           show this

Types of BFCL's own become JSON Schema's (dict, float, tuple, any). A list of accepted values becomes the
value, or {"any_of": […]} with "" where the argument may be left out, also within objects. Names of
functions that OpenAI refuses ([a-zA-Z0-9_-]{1,64}) are changed in tools and expected calls alike. One
tool makes a case easy, several medium, several calls of several tools hard. Irrelevance: no call is right.

Left out, with these reasons:
${reasons}

The data are not ours: BFCL is under the Apache License 2.0.

Exit code: 0 when something was imported, 2 for input that needs a change.

Examples
  assay import bfcl --cases BFCL_v4_live_simple.json --out live-simple.jsonl \\
    --answers possible_answer/BFCL_v4_live_simple.json
  assay import bfcl --cases BFCL_v4_irrelevance.json --json`;

const flags = {
  cases: { type: "string" },
  answers: { type: "string" },
  out: { type: "string" },
  json: { type: "boolean" },
} as const;

/** `assay import bfcl`: makes a dataset from data of another evaluation. */
export const importBfclCommand = command({
  name: "import bfcl",
  summary: "make a dataset of suite tools from cases of BFCL",
  help,
  flags,
  async run(values, positionals, { stdout, stderr }) {
    refuseLooseFile(positionals);
    const { cases, answers = null, out = null } = values;
    if (cases === undefined) throw new BadInput("--cases FILE is needed");
    const imported = importBfcl({ cases, answers, out, stdout });
    const left = malformedLines(cases, imported);
    if (left.length > 0) stderr.write(`${left.join("\n")}\n`);
    const printed = values.json
      ? JSON.stringify(importedJson(imported, out), null, 2)
      : importedText(imported, out);
    (out === "-" ? stderr : stdout).write(`${printed}\n`);
  },
});

function refuseLooseFile([surplus]: readonly string[]): void {
  if (surplus !== undefined) {
    throw new BadInput(`${surplus}: give the file of cases with its flag, as --cases ${surplus}`);
  }
}
