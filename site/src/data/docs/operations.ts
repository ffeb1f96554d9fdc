import { paths } from "../paths.ts";
import type { OpenApi, Operation } from "./openapi.ts";

const methods = ["get", "post", "put", "patch", "delete"];
const untagged = "Other";

export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** The last part of a `$ref`: the component's name. */
export const refName = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1);

function placed(api: OpenApi) {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => ({
        method,
        path,
        anchor: anchorOf(`${method} ${path}`),
        operation: item[method] as Operation,
      })),
  );
}

/** The address of a call in the reference; undefined for an unknown call. */
export const callHref = (api: OpenApi | null, anchor: string): string | undefined =>
  (api === null ? [] : operationGroups(api))
    .filter(({ operations }) => operations.some((one) => one.anchor === anchor))
    .map(({ path }) => `${path}#${anchor}`)[0];

export type PlacedOperation = ReturnType<typeof placed>[number];

/** Cached, because every model's page has the address of a call. */
const grouped = new WeakMap<OpenApi, ReturnType<typeof groupsOf>>();

/** Operations by their first tag: declared tags in their order, then others in order of appearance. */
export function operationGroups(api: OpenApi): ReturnType<typeof groupsOf> {
  const groups = grouped.get(api) ?? groupsOf(api);
  grouped.set(api, groups);
  return groups;
}

function groupsOf(api: OpenApi) {
  const byTag = Map.groupBy(placed(api), ({ operation }) => operation.tags?.[0] ?? untagged);
  const names = new Set([...(api.tags ?? []).map(({ name }) => name), ...byTag.keys()]);
  return [...names]
    .filter((name) => byTag.has(name))
    .map((name) => ({
      name,
      slug: anchorOf(name),
      path: paths.resource(anchorOf(name)),
      description: api.tags?.find((tag) => tag.name === name)?.description,
      operations: byTag.get(name) ?? [],
    }));
}
