import { readFileSync } from "node:fs";
import { createConfig, lint } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { openapiPath, openapiText } from "./openapi-file.ts";

it("the committed OpenAPI document is that of the routes (npm run generate)", () => {
  expect(readFileSync(openapiPath, "utf8")).toBe(openapiText());
});

it("the OpenAPI document has no errors and no warnings by Redocly's recommended rules, none left out", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const found = await lint({ ref: openapiPath, config });
  const lines = found.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
  );
  expect(lines).toEqual([]);
});
