import { dirname, isAbsolute, join } from "node:path";
import jsonata from "jsonata";
import { type RowMapping, rowMappingSchema } from "#shared/contracts/datasets/row-mapping.ts";
import { asObject, type Json, type JsonObject, textOrJson } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { readJson, readJsonObject } from "../files/open-file.ts";
import { readYamlFile } from "../files/yaml-file.ts";
import { schemaProblem } from "../score/schema-problem.ts";

/** What flags say of a mapping. */
export interface MappingFlags {
  mapping?: string | undefined;
  map?: readonly string[] | undefined;
  tag?: readonly string[] | undefined;
  schema?: string | undefined;
}

/** Fields and tags of a suite's row, computed from a row of another shape. */
export interface RowMapper {
  /** Null: recognized from the rows. */
  suite: string | null;
  /** What is kept with the dataset. */
  text: RowMapping;
  /** The row; only what is mapped, or everything if no field is. Throws BadInput at an expression that fails. */
  rowOf(row: JsonObject, place: string): Promise<JsonObject>;
}

/** The mapping of a file and flags, which take precedence; null without any. Throws BadInput. */
export function mappingOf(flags: MappingFlags): RowMapper | null {
  const { mapping: path, map = [], tag = [], schema } = flags;
  const isGiven = [path, schema].some((one) => one !== undefined) || map.length + tag.length > 0;
  if (!isGiven) return null;
  const file = path === undefined ? rowMappingSchema.parse({}) : readMapping(path);
  const text = {
    ...file,
    map: { ...file.map, ...Object.fromEntries(map.flatMap((one) => assignments("map", one))) },
    tags: { ...file.tags, ...Object.fromEntries(tag.flatMap((one) => assignments("tag", one))) },
  };
  const folder = path === undefined ? "." : dirname(path);
  const named = Object.entries(file.files).map(([name, of]) => [
    name,
    readJson(inFolder(folder, of)),
  ]);
  const fixed = schema === undefined ? {} : { schema: readJsonObject(schema) };
  return compiled(text, Object.fromEntries(named), fixed);
}

const inFolder = (folder: string, path: string) => (isAbsolute(path) ? path : join(folder, path));

function readMapping(path: string): RowMapping {
  const given = readYamlFile(path, "map: { text: body }");
  const checked = rowMappingSchema.safeParse(given);
  if (checked.success) return checked.data;
  const known = Object.keys(rowMappingSchema.shape);
  throw new BadInput(
    `${path}: ${schemaProblem(checked.error.issues, given, known, "the mapping")}`,
  );
}

/** Several plain assignments with commas between them; an expression may have commas itself. */
const isList = /^[\w$-]+=[\w.$-]+(,[\w$-]+=[\w.$-]+)+$/;

function assignments(flag: string, given: string): [name: string, expression: string][] {
  return (isList.test(given) ? given.split(",") : [given]).map((one) => {
    const at = one.indexOf("=");
    const [name, expression] = [one.slice(0, at).trim(), one.slice(at + 1).trim()];
    if (at > 0 && name !== "" && expression !== "") return [name, expression];
    throw new BadInput(`--${flag} must be like text=body, not "${one}"`);
  });
}

/** `files`: variables of expressions; `fixed`: fields that every row gets. */
function compiled(text: RowMapping, files: object, fixed: JsonObject): RowMapper {
  const evaluators = (prefix: string, given: RowMapping["map"]) =>
    Object.entries(given).map(
      ([name, its]) => [name, evaluator(`${prefix}${name}`, its, files)] as const,
    );
  const fields = evaluators("", text.map);
  const tags = evaluators("tag ", text.tags);
  return {
    suite: text.suite ?? null,
    text,
    async rowOf(row, place) {
      const mapped = fields.length === 0 ? row : await valuesOf(fields, row, place);
      const tagged = await valuesOf(tags, row, place);
      const own = asObject(mapped["tags"]);
      const all = { ...own, ...asTexts(tagged) };
      return { ...mapped, ...fixed, ...(Object.keys(tagged).length > 0 && { tags: all }) };
    },
  };
}

type Evaluator = (row: JsonObject, place: string) => Promise<Json | undefined>;

async function valuesOf(
  evaluators: readonly (readonly [name: string, evaluate: Evaluator])[],
  row: JsonObject,
  place: string,
): Promise<JsonObject> {
  const values: JsonObject = {};
  for (const [name, evaluate] of evaluators) {
    const value = await evaluate(row, place);
    if (value !== undefined && value !== null) values[name] = value;
  }
  return values;
}

/** Throws BadInput for an expression that is not valid. */
function evaluator(what: string, expression: string, files: object): Evaluator {
  const wrong = (place: string, error: unknown) => {
    const { message } = error as { message?: string };
    return new BadInput(`${place}: ${what}: ${expression}: ${message ?? error}`);
  };
  let parsed: jsonata.Expression;
  try {
    parsed = jsonata(expression);
  } catch (error) {
    throw wrong("mapping", error);
  }
  return async (row, place) => {
    try {
      const value: unknown = await parsed.evaluate(row, files);
      // Sequences of JSONata have further properties.
      return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
    } catch (error) {
      throw wrong(place, error);
    }
  };
}

const asTexts = (values: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOrJson(value)]));
