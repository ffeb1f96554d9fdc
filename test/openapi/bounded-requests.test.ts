import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runConfigSchema } from "../../shared/contracts/submissions/run-config.ts";
import { suites } from "../../shared/suites/registry.ts";
import { openapiPath } from "./openapi-file.ts";

/** The parts of a JSON Schema that matter for bounds. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  prefixItems?: Schema[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};

/** Maps whose names a suite checks: unknown names are refused. */
const namesOfSuites = new Set([
  "RunOptions",
  "RescoreRequest.options",
  "RescoreRequest.judgings[]",
  "SweepRequest",
  "SubmittedAnswer.judgments",
  "SubmittedAnswer.stages",
]);

const openapi = JSON.parse(readFileSync(openapiPath, "utf8"));
const components: Record<string, Schema> = openapi.components.schemas;

/** Places in a schema where a string, list or map has no maximum size. */
function unbounded(schema: Schema | undefined, at: string, above: string[] = []): string[] {
  if (schema === undefined) return [];
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) as string;
    return above.includes(name) ? [] : unbounded(components[name], name, [...above, name]);
  }
  const inner = (child: Schema | undefined, step: string) =>
    unbounded(child, `${at}${step}`, above);
  const { additionalProperties: more, properties = {} } = schema;
  const parts = [
    ...Object.entries(properties).map(([name, child]) => inner(child, `.${name}`)),
    ...[schema.anyOf, schema.oneOf, schema.allOf, schema.prefixItems].map((children = []) =>
      children.flatMap((child) => inner(child, "")),
    ),
    inner(schema.items, "[]"),
    inner(schema.propertyNames, "{name}"),
    typeof more === "object" ? inner(more, "{}") : [],
  ];
  return [...own(schema).map((kind) => `${at}: ${kind}`), ...parts.flat()].filter(
    (place) => !namesOfSuites.has(place.replace(/: map$/, "")),
  );
}

function own(schema: Schema): string[] {
  const is = (type: string) => [schema.type ?? []].flat().includes(type);
  const isListed = schema.enum !== undefined || schema.const !== undefined;
  const isMap =
    schema.propertyNames !== undefined || typeof schema.additionalProperties === "object";
  return [
    is("string") && !isListed && !isShort(schema) ? "string" : null,
    is("array") && schema.maxItems === undefined ? "list" : null,
    isMap && schema.maxProperties === undefined && !areNamesListed(schema) ? "map" : null,
  ].filter((kind) => kind !== null);
}

const areNamesListed = ({ propertyNames: names }: Schema) => names?.enum !== undefined;

/** A pattern without unbounded quantifiers also limits a text. */
const isShort = ({ maxLength, format, pattern }: Schema): boolean =>
  maxLength !== undefined ||
  format === "date-time" ||
  (pattern?.startsWith("^") === true &&
    pattern.endsWith("$") &&
    !/[*+]|\{\d+,\}/.test(pattern.replace(/\[[^\]]*\]/g, "")));

interface Operation {
  operationId: string;
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const paths: Record<string, Operation>[] = Object.values(openapi.paths);
const operations = paths.flatMap((path) =>
  Object.values(path).filter((one) => one.operationId !== undefined),
);

describe("every value of a request is bounded", () => {
  it.each(operations.map((one) => [one.operationId, one] as const))("%s", (_id, operation) => {
    const { parameters = [], requestBody } = operation;
    const places = [
      ...parameters.flatMap((one) => unbounded(one.schema, `${one.in} ${one.name}`)),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        unbounded(schema, "body"),
      ),
    ];
    expect(places).toEqual([]);
  });

  it.each(suites.map((suite) => [suite.id, suite] as const))("in options of %s", (id, suite) => {
    const schema = z.toJSONSchema(suite.optionsSchema, { io: "input" }) as Schema;
    expect(unbounded(schema, id)).toEqual([]);
  });

  it("in a config file", () => {
    const schema = z.toJSONSchema(runConfigSchema, { io: "input", reused: "inline" }) as Schema;
    const places = unbounded(schema, "config").filter((place) => !/: (list|map)$/.test(place));
    expect(places).toEqual([]);
  });

  it("which the test checks by finding an unbounded string", () => {
    const schema = z.object({ a: z.array(z.object({ b: z.string() })) });
    const places = unbounded(z.toJSONSchema(schema) as Schema, "x");
    expect(places).toEqual(["x.a: list", "x.a[].b: string"]);
  });
});
