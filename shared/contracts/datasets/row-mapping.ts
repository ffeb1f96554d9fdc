import { z } from "zod";
import { fieldErrors } from "../field-errors.ts";
import { parsedJson } from "../json.ts";
import { err, ok, type Result } from "../result.ts";

const expressions = z.record(z.string().min(1).max(200), z.string().min(1).max(4_000));

/** How rows of another shape became rows of a suite. Values are expressions of JSONata; a name is a field of the row. */
export const rowMappingSchema = z
  .strictObject({
    suite: z.string().max(100).optional(),
    map: expressions.default({}).meta({ description: "by field of the suite" }),
    tags: expressions.default({}).meta({ description: "by tag" }),
    files: expressions.default({}).meta({
      description: "files of JSON, relative to the mapping's folder: $name is the content of one",
    }),
  })
  .meta({ id: "RowMapping", description: "how rows of another shape became those of the suite" });
export type RowMapping = z.infer<typeof rowMappingSchema>;

/** Characters of a mapping that is kept with a dataset, as JSON. */
export const longestMapping = 6_000;

/**
 * A mapping from its JSON.
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
