import type { RowMapping } from "#shared/contracts/datasets/row-mapping.ts";
import { isJsonObject, type JsonObject, parsedJson } from "#shared/contracts/json.ts";
import { datasetRow } from "#shared/measures/datasets/dataset-row.ts";
import { tableRows } from "#shared/suites/table-rows.ts";
import { sourceRows } from "./source-rows.ts";

/** How rows of the chosen files become those of a suite, as typed into the form. */
export interface MappingFields {
  suite: string;
  /** Lines such as `text=body`. */
  map: string;
  tags: string;
  /** JSON Schema of all rows; empty: none. */
  schema: string;
}

/** Rows to send. */
export interface DatasetRows {
  rows: JsonObject[];
  /** Null: the rows are the suite's. */
  mapping: RowMapping | null;
}

/** The rows of the suite that files have. Throws an error that says what to do. */
export async function datasetRows(
  files: readonly File[],
  fields: MappingFields,
): Promise<DatasetRows> {
  const source = await sourceRows(files);
  if (source.rows.length === 0) throw new Error("there are no rows");
  const mapped = await mappedRows(source.rows, fields);
  if (mapped.mapping === null && !source.isTable) return mapped;
  const its = tableRows[fields.suite] ?? {};
  return { ...mapped, rows: mapped.rows.map((row, i) => datasetRow(its, row, source.name, i)) };
}

async function mappedRows(
  rows: JsonObject[],
  { suite, map, tags, schema }: MappingFields,
): Promise<DatasetRows> {
  if (`${map}${tags}${schema}`.trim() === "") return { rows, mapping: null };
  // Larger than the rest of the page, and only needed here.
  const { assignments, rowMapper } = await import("#shared/measures/datasets/row-mapper.ts");
  const expressions = (text: string) =>
    Object.fromEntries(
      text.split("\n").flatMap((line) => {
        const read = line.trim() === "" ? [] : assignments(line);
        if (read === null) throw new Error(`"${line}" must be like text=body`);
        return read;
      }),
    );
  const mapping = { suite, map: expressions(map), tags: expressions(tags), files: {} };
  const fixed = schema.trim() === "" ? {} : { schema: schemaOf(schema) };
  const mapper = rowMapper(mapping, { files: {}, fixed });
  if (!mapper.ok) throw new Error(mapper.error);
  const made: JsonObject[] = [];
  for (const [i, row] of rows.entries()) {
    const one = await mapper.value.rowOf(row);
    if (!one.ok) throw new Error(`row ${i + 1}: ${one.error}`);
    made.push(one.value);
  }
  return { rows: made, mapping };
}

function schemaOf(text: string): JsonObject {
  const schema = parsedJson(text);
  if (isJsonObject(schema)) return schema;
  throw new Error("the JSON Schema must be a JSON object");
}
