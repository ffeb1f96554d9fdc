import { z } from "zod";
import { rowNoteSchema } from "#shared/contracts/datasets/dataset.ts";
import { bfclReasons } from "#shared/suites/tools/bfcl/bfcl-schema.ts";
import { levels } from "#shared/suites/tools/sample.ts";
import { command, jsonFlag, valueFlag } from "../../command-line/command.ts";
import { malformedLines } from "../../files/row-lines.ts";
import { importBfcl } from "../../import/import-bfcl.ts";
import { type Imported, sampleCount } from "../../import/imported.ts";
import { importedText } from "../../import/imported-text.ts";

const countedSchema = z.record(
  z.string(),
  z.object({ count: z.int(), ids: z.array(z.string().nullable()) }),
);
const json = jsonFlag(
  z.object({
    format: z.literal("bfcl"),
    suite: z.literal("tools"),
    cases: z.int(),
    imported: z.int(),
    levels: z.record(z.enum(levels), z.int()),
    irrelevance: z.int().meta({ description: "samples that expect no call" }),
    skipped: countedSchema.meta({ description: "cases left out, by reason" }),
    malformed: z.array(rowNoteSchema),
    warned: countedSchema,
    renamed: z.array(z.object({ from: z.string(), to: z.string() })),
    unusedAnswers: z.int(),
    out: z.string().nullable().meta({ description: "file of the samples; null: none" }),
  }),
  "Print the summary as one JSON object, with the ids of the cases left out",
);

/** Flag for the function documents that cases of several turns need. */
export const functionsFlag = valueFlag(
  "FOLDER",
  "Folder of the documents of functions, bfcl_eval/data/multi_turn_func_doc: needed for cases of several turns",
);

/** `assay import bfcl`: converts data of another evaluation to a dataset. */
export const importBfclCommand = command({
  name: "import bfcl",
  summary: "import a dataset of suite tools from cases of BFCL",
  description: [
    "Converts cases of the Berkeley Function Calling Leaderboard (BFCL) to samples of the suite tools.",
  ],
  flags: {
    cases: valueFlag(
      "FILE",
      'Cases as JSON Lines: {"id", "question", "function", "category"?, "ground_truth"?}, as in bfcl_eval/data/BFCL_v4_*.json',
      { required: true },
    ),
    answers: valueFlag(
      "FILE",
      'Accepted answers as JSON Lines: {"id", "ground_truth"}, as in bfcl_eval/data/possible_answer; not needed if the cases have them',
    ),
    functions: functionsFlag,
    out: valueFlag(
      "FILE",
      "Write the samples to FILE; - writes to standard output and moves the summary to standard error. Without it only the summary is printed",
    ),
    json,
  },
  likelyFlag: "cases",
  lists: { "Reasons for leaving a case out": bfclReasons },
  notes: [
    'Types of BFCL (dict, float, tuple, any) become types of JSON Schema. A list of accepted values becomes the value, or {"any_of": […]} with "" for an argument that may be left out, also within objects. Function names that OpenAI refuses ([a-zA-Z0-9_-]{1,64}) are changed in tools and expected calls. One tool makes a case easy, several tools medium, several calls of several tools hard. Irrelevance: no call is correct.',
    "BFCL data are under the Apache License 2.0.",
  ],
  examples: [
    "assay import bfcl --cases BFCL_v4_live_simple.json --out live-simple.jsonl \\",
    "  --answers possible_answer/BFCL_v4_live_simple.json",
    "assay import bfcl --cases BFCL_v4_irrelevance.json --json",
  ],
  async run(values, _, { stdout, stderr }) {
    const { cases, answers = null, functions = null, out = null } = values;
    const imported = await importBfcl({ cases, answers, functions, out, stdout });
    const left = malformedLines(cases, imported);
    if (left.length > 0) stderr.write(`${left.join("\n")}\n`);
    const printed = values.json
      ? json.text(importedJson(imported, out))
      : importedText(imported, out);
    (out === "-" ? stderr : stdout).write(`${printed}\n`);
  },
});

/** Summary of an import, as one JSON object. */
function importedJson(imported: Imported, out: string | null): z.infer<typeof json.schema> {
  const { cases, levels, irrelevance, skipped, warned, renamed, unusedAnswers } = imported;
  return {
    format: "bfcl",
    suite: "tools",
    cases,
    imported: sampleCount(imported),
    levels,
    irrelevance,
    skipped: counted(skipped),
    malformed: imported.malformed.kept,
    warned: counted(warned),
    renamed: [...renamed.values()],
    unusedAnswers,
    out,
  };
}

function counted(lists: ReadonlyMap<string, (string | null)[]>): z.infer<typeof countedSchema> {
  const entries = [...lists].map(([key, ids]) => [key, { count: ids.length, ids }] as const);
  return Object.fromEntries(entries);
}
