import { expect, it } from "vitest";
import { z } from "zod";
import { suites } from "#shared/suites/registry.ts";
import type { Schema } from "../../data/docs/openapi.ts";
import { OptionTable } from "./OptionTable.tsx";

it("OptionTable() lists every option of every suite, with long defaults shortened", () => {
  for (const { label, optionsSchema } of suites) {
    const schema = z.toJSONSchema(optionsSchema, { io: "input" }) as Schema;
    const html = String(OptionTable({ label, schema }));
    for (const name of Object.keys(schema.properties ?? {})) expect(html).toContain(`>${name}<`);
    expect(html.length).toBeLessThan(20_000);
  }
});

it("OptionTable() shows type, range and default of an option", () => {
  const schema: Schema = {
    properties: { temperature: { type: "number", minimum: 0, maximum: 2, default: 0 } },
  };
  const html = String(OptionTable({ label: "Options", schema }));
  expect(html).toContain("number, 0 to 2");
  expect(html).toContain("<code>0</code>");
});
