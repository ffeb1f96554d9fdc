import { z } from "zod";
import { fieldErrors } from "../field-errors.ts";
import { parsedJson } from "../json.ts";
import { err, ok, type Result } from "../result.ts";

/** Maximum number of fields, tags or files of one mapping. */
const MOST_EXPRESSIONS = 200;

const name = z.string().min(1).max(200);
const expression = z.string().min(1).max(4_000);
const expressions = z
  .record(name, expression)
  .refine((given) => Object.keys(given).length <= MOST_EXPRESSIONS, {
    error: `must have at most ${MOST_EXPRESSIONS} entries`,
  })
  .meta({ maxProperties: MOST_EXPRESSIONS });

/** How rows of another format become rows of a suite. Values are JSONata expressions, such as the name of a field. */
export const rowMappingSchema = z
  .strictObject({
    suite: z.string().max(100).optional(),
    map: expressions.default({}).meta({ description: "expressions by field of the suite" }),
    tags: expressions.default({}).meta({ description: "expressions by tag" }),
    files: expressions.default({}).meta({
      description:
        "JSON files by name, relative to the mapping's folder: $name is the content of the file",
    }),
    folder: expressions.optional().meta({
      description:
        "for a folder of files: path of the file by field, such as gold/{id}.json. Each file of the first path is a row, with a field for each part of the path in braces; JSON files are parsed",
    }),
    columns: z.array(name).min(1).max(1_000).optional().meta({
      description: "for CSV without a header: names of the columns",
    }),
    quotes: z.boolean().optional().describe("for CSV: whether cells can be quoted; default: true"),
    lines: expressions.optional().meta({
      description: "text files next to the rows, by field: line n belongs to row n",
    }),
    split: expression.optional().meta({
      description: "expression that splits a row into a list of rows before fields are mapped",
    }),
  })
  .meta({ id: "RowMapping", description: "how rows of another format became rows of the suite" });
export type RowMapping = z.infer<typeof rowMappingSchema>;

/** Maximum length of a mapping stored with a dataset, in characters of JSON. */
export const longestMapping = 6_000;

/**
 * Parses a mapping; the error says why it is invalid.
 * @example readMapping('{"map": {"text": "body"}}') // { ok: true, value: { map: { text: "body" }, tags: {}, files: {} } }
 */
export function readMapping(text: string): Result<RowMapping, string> {
  const given = parsedJson(text);
  if (given === undefined) return err("it is not JSON");
  const read = rowMappingSchema.safeParse(given);
  if (read.success) return ok(read.data);
  const [first] = fieldErrors(read.error.issues, given);
  return err(`${first?.pointer}: ${first?.detail}`);
}
