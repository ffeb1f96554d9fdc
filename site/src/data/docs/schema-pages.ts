import { paths } from "../paths.ts";
import { type OpenApi, openApi, type Schema } from "./openapi.ts";
import { anchorOf, operationGroups, refName } from "./operations.ts";

/** Breakdowns of suites are a third of all schemas, so they have their own page. */
const isBreakdown = (name: string): boolean => name.startsWith("Breakdown-");

/** Names of the components that a part of the description refers to, directly or indirectly. */
function schemasIn(part: unknown, schemas: Readonly<Record<string, Schema>>): Set<string> {
  const found = new Set<string>();
  const left = [part];
  while (left.length > 0) {
    const text = JSON.stringify(left.pop());
    for (const [, ref = ""] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
      const name = refName(ref);
      if (found.has(name) || !schemas[name]) continue;
      found.add(name);
      left.push(schemas[name]);
    }
  }
  return found;
}

/**
 * For each schema, the path of the page that describes it: that of the only resource that uses it, or the page of
 * shared schemas.
 */
export function schemaPaths(api: OpenApi): Map<string, string> {
  const { schemas = {} } = api.components ?? {};
  const users = operationGroups(api).map(({ path, operations }) => ({
    path,
    names: schemasIn(operations, schemas),
  }));
  return new Map(
    Object.keys(schemas).map((name) => {
      if (isBreakdown(name)) return [name, paths.breakdowns];
      const [only, ...others] = users.filter(({ names }) => names.has(name));
      return [name, only && others.length === 0 ? only.path : paths.schemas];
    }),
  );
}

const known = openApi === null ? new Map<string, string>() : schemaPaths(openApi);

/** The address of a schema, from any page. */
export const schemaHref = (name: string): string =>
  `${known.get(name) ?? paths.schemas}#${anchorOf(`schema ${name}`)}`;

/** The schemas that a page describes. */
export const schemasOn = (path: string): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(openApi?.components?.schemas ?? {}).filter(([name]) => known.get(name) === path),
  );
