import { readFileSync } from "node:fs";
import { createConfig, lint } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { openapiPath, openapiText } from "./openapi-file.ts";

it("the committed OpenAPI document matches the routes (npm run generate)", () => {
  expect(readFileSync(openapiPath, "utf8")).toBe(openapiText());
});

it("the OpenAPI document has no errors or warnings by all of Redocly's recommended rules", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const found = await lint({ ref: openapiPath, config });
  const lines = found.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
  );
  expect(lines).toEqual([]);
});

const document = JSON.parse(readFileSync(openapiPath, "utf8"));

/** All objects in a JSON value. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

it("patterns have no slashes and flags of JavaScript", () => {
  const patterns = objectsIn(document).map(({ pattern }) => pattern);
  const texts = patterns.filter((pattern) => typeof pattern === "string");
  expect(texts.length).toBeGreaterThan(10);
  for (const text of texts) expect(() => new RegExp(text, "u")).not.toThrow();
  expect(texts.filter((text) => /\/[a-z]+$/.test(text))).toEqual([]);
});

it("no schema requires both null and a shared schema with allOf", () => {
  const both = objectsIn(document).filter(({ allOf }) => JSON.stringify(allOf)?.includes('"null"'));
  expect(both).toEqual([]);
});

it("optional properties of replies are not required", () => {
  const { Connection, Run, RunReport } = document.components.schemas;
  expect(Connection.properties.checks.items.required).not.toContain("enforced");
  expect(Run.required).not.toContain("submittedBy");
  expect(RunReport.required).not.toContain("sources");
  expect(RunReport.properties.sections.items.required).not.toContain("losses");
});

it("each route lists the statuses of its middlewares", () => {
  const { paths } = document;
  const statuses = (path: string, method: string) => Object.keys(paths[path][method].responses);
  expect(statuses("/v1/runs/{id}", "get")).toEqual(expect.arrayContaining(["401", "422"]));
  expect(statuses("/v1/runs/{id}", "delete")).toEqual(
    expect.arrayContaining(["400", "413", "422"]),
  );
  expect(statuses("/v1/keys", "post")).toEqual(expect.arrayContaining(["400", "413", "415"]));
  expect(statuses("/v1/suites", "get")).not.toContain("401");
});
