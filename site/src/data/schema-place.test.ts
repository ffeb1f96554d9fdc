import { expect, it } from "vitest";
import { schemaHref, schemasOn } from "./schema-place.ts";

it("every schema has its place on one page", () => {
  const schemas = { Run: {}, "Breakdown-tools": {} };
  expect(schemasOn("reference", schemas)).toEqual({ Run: {} });
  expect(schemasOn("breakdowns", schemas)).toEqual({ "Breakdown-tools": {} });
  expect(schemaHref("Run")).toBe("/docs/#schema-run");
  expect(schemaHref("Breakdown-tools")).toBe("/docs/breakdowns/#schema-breakdown-tools");
});
