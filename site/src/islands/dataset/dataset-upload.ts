import type { RowMapping } from "#shared/contracts/datasets/row-mapping.ts";
import { asObject, isJsonObject, type JsonObject, parsedJson } from "#shared/contracts/json.ts";
import { datasetRow } from "#shared/measures/datasets/dataset-row.ts";
import { tableRows } from "#shared/suites/table-rows.ts";
import { sourceRows } from "./source-rows.ts";

/** The mapping from rows of the chosen files to rows of a suite, as typed into the form. */
export interface MappingFields {
  suite: string;
  /** Lines such as `text=body`. */
  map: string;
  tags: string;
  /** JSON Schema of all rows; empty: none. */
  schema: string;
  /** YAML or JSON, which the fields above override; null: none. */
  file: File | null;
}

export interface DatasetRows {
  /** The suite in the mapping file, if it names one. */
  suite: string;
  rows: JsonObject[];
  /** Null if the rows have the suite's format. */
  mapping: RowMapping | null;
}

/** The suite's rows from the files. Throws an error that says what to do. */
export async function datasetRows(
  files: readonly File[],
  fields: MappingFields,
): Promise<DatasetRows> {
  const mapping = await mappingOf(fields);
  const source = await sourceRows(files, mapping ?? {});
  if (source.rows.length === 0) throw new Error("there are no rows");
  const suite = mapping?.suite ?? fields.suite;
  const rows = mapping === null ? source.rows : await mappedRows(source.rows, mapping, fields);
  if (mapping === null && !source.isTable) return { suite, rows, mapping };
  const its = tableRows[suite] ?? {};
  return { suite, mapping, rows: rows.map((row, i) => datasetRow(its, row, source.name, i)) };
}

/** The mapping from form and file; null if both are empty. */
async function mappingOf({
  suite,
  map,
  tags,
  schema,
  file,
}: MappingFields): Promise<RowMapping | null> {
  if (file === null && `${map}${tags}${schema}`.trim() === "") return null;
  const given = file === null ? {} : await readMapping(file);
  const { assignments } = await rowMapperModule();
  const expressions = (text: string) =>
    text.split("\n").flatMap((line) => {
      const read = line.trim() === "" ? [] : assignments(line);
      if (read === null) throw new Error(`"${line}" must be like text=body`);
      return read;
    });
  return {
    suite,
    files: {},
    ...given,
    map: { ...asObject(given["map"]), ...Object.fromEntries(expressions(map)) },
    tags: { ...asObject(given["tags"]), ...Object.fromEntries(expressions(tags)) },
  } as RowMapping;
}

/** Loaded on demand, because it is larger than the rest of the page. */
const rowMapperModule = () => import("#shared/measures/datasets/row-mapper.ts");

/** Reads a mapping file; the service checks its keys when the mapping is sent. */
async function readMapping(file: File): Promise<JsonObject> {
  const { parse } = await import("yaml");
  const given: unknown = parse(await file.text());
  if (!isJsonObject(given)) throw new Error("the mapping file must have keys, such as map");
  const other = ["files", "lines"].find((key) => Object.keys(asObject(given[key])).length > 0);
  if (other === undefined) return given;
  throw new Error(`its mapping has ${other}: import it with assay dataset import`);
}

async function mappedRows(
  rows: JsonObject[],
  mapping: RowMapping,
  { schema }: MappingFields,
): Promise<JsonObject[]> {
  const { rowMapper } = await rowMapperModule();
  const fixed = schema.trim() === "" ? {} : { schema: schemaOf(schema) };
  const mapper = rowMapper(mapping, { files: {}, fixed });
  if (!mapper.ok) throw new Error(mapper.error);
  const made: JsonObject[][] = [];
  for (const [i, row] of rows.entries()) {
    const its = await mapper.value.rowsOf(row);
    if (!its.ok) throw new Error(`row ${i + 1}: ${its.error}`);
    made.push(its.value);
  }
  const unused = mapper.value.unused();
  if (unused !== null) throw new Error(unused.problem);
  return made.flat();
}

function schemaOf(text: string): JsonObject {
  const schema = parsedJson(text);
  if (isJsonObject(schema)) return schema;
  throw new Error("the JSON Schema must be a JSON object");
}
