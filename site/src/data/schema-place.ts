import type { Schema } from "./openapi.ts";
import { anchorOf } from "./operations.ts";
import { paths } from "./paths.ts";

/** Breakdowns of suites are a third of all schemas: they have a page of their own. */
const isBreakdown = (name: string): boolean => name.startsWith("Breakdown-");

/** The address of a schema, from any page. */
export const schemaHref = (name: string): string =>
  `${isBreakdown(name) ? paths.breakdowns : paths.docs}#${anchorOf(`schema ${name}`)}`;

/** The schemas that stand on a page of the reference. */
export const schemasOn = (
  page: "reference" | "breakdowns",
  schemas: Readonly<Record<string, Schema>>,
): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(schemas).filter(([name]) => isBreakdown(name) === (page === "breakdowns")),
  );
