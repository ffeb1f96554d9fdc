import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openapiPath, openapiText } from "./openapi-file.ts";

it("the committed OpenAPI document is that of the routes (npm run generate)", () => {
  expect(readFileSync(openapiPath, "utf8")).toBe(openapiText());
});
