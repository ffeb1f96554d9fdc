import { createConfig, lint } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { openapiPath } from "./openapi-file.ts";

it("the OpenAPI document has no errors and no warnings by Redocly's recommended rules, none left out", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const found = await lint({ ref: openapiPath, config });
  const lines = found.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
  );
  expect(lines).toEqual([]);
});
