import { realpathSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { type RowMapping, rowMappingSchema } from "#shared/contracts/datasets/row-mapping.ts";
import type { Json, JsonObject } from "#shared/contracts/json.ts";
import {
  assignments,
  rowMapper,
  type UnusedExpression,
} from "#shared/measures/datasets/row-mapper.ts";
import { BadInput } from "../errors.ts";
import { fileProblem, readJson, readJsonObject } from "../files/open-file.ts";
import { readYamlFile } from "../files/yaml-file.ts";
import { schemaProblem } from "../score/schema-problem.ts";

/** Flags that define a mapping. */
export interface MappingFlags {
  mapping?: string | undefined;
  map?: readonly string[] | undefined;
  tag?: readonly string[] | undefined;
  schema?: string | undefined;
}

/** The mapping of an import. */
export interface ImportMapping {
  /** Null: recognized from the rows. */
  suite: string | null;
  /** The mapping that is stored with the dataset. */
  text: RowMapping;
  /** Converts a row to rows of the suite. Throws BadInput if an expression fails. */
  rowsOf(row: JsonObject, place: string): Promise<JsonObject[]>;
  /** Throws BadInput for an expression without a result in all rows. */
  refuseUnused(): void;
}

/** The mapping from a file and flags, which take precedence; null without either. Throws BadInput. */
export function mappingOf(flags: MappingFlags): ImportMapping | null {
  const { mapping: path, map = [], tag = [], schema } = flags;
  const isGiven = [path, schema].some((one) => one !== undefined) || map.length + tag.length > 0;
  if (!isGiven) return null;
  const file = path === undefined ? rowMappingSchema.parse({}) : readMapping(path);
  const text = {
    ...file,
    map: { ...file.map, ...Object.fromEntries(map.flatMap((one) => assigned("map", one))) },
    tags: { ...file.tags, ...Object.fromEntries(tag.flatMap((one) => assigned("tag", one))) },
  };
  const folder = path === undefined ? "." : dirname(path);
  const named = Object.entries(file.files).map(([name, of]) => [
    name,
    readJson(inFolder(folder, of)) as Json,
  ]);
  const fixed = schema === undefined ? {} : { schema: readJsonObject(schema) };
  const mapper = rowMapper(text, { files: Object.fromEntries(named), fixed });
  if (!mapper.ok) throw new BadInput(`mapping: ${mapper.error}`);
  return {
    suite: text.suite ?? null,
    text,
    async rowsOf(row, place) {
      const mapped = await mapper.value.rowsOf(row);
      if (mapped.ok) return mapped.value;
      throw new BadInput(`${place}: ${mapped.error}`);
    },
    refuseUnused() {
      const unused = mapper.value.unused();
      if (unused !== null) throw new BadInput(unusedText(unused, flags));
    },
  };
}

function unusedText({ kind, name, problem }: UnusedExpression, flags: MappingFlags): string {
  const given = (kind !== "split" && flags[kind]) || [];
  const isFlag = given.flatMap((one) => assignments(one) ?? []).some(([target]) => target === name);
  return `${isFlag ? "--" : "mapping: "}${problem}`;
}

/** A path in a folder. Mappings may be untrusted, so links must not lead out of the folder. Throws BadInput. */
export function inFolder(folder: string, path: string): string {
  const full = resolve(folder, path);
  const isWithin = full.startsWith(`${resolve(folder)}${sep}`);
  if (isWithin && realPath(full).startsWith(`${realPath(folder)}${sep}`)) return full;
  throw new BadInput(`files of a mapping must be in its own folder, not ${path}`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw fileProblem(path, error);
  }
}

function assigned(flag: string, given: string): [name: string, expression: string][] {
  const read = assignments(given);
  if (read !== null) return read;
  throw new BadInput(`--${flag} must be like text=body, not "${given}"`);
}

function readMapping(path: string): RowMapping {
  const given = readYamlFile(path, "map: { text: body }");
  const checked = rowMappingSchema.safeParse(given);
  if (checked.success) return checked.data;
  const known = Object.keys(rowMappingSchema.shape);
  throw new BadInput(
    `${path}: ${schemaProblem(checked.error.issues, given, known, "the mapping")}`,
  );
}
