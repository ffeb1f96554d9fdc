import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { runConfigJsonSchema, runConfigSchema } from "./run-config.ts";

const model = { name: "a", base_url: "https://api.example.com/v1" };

describe("runConfigJsonSchema()", () => {
  const validator = new Validator(runConfigJsonSchema() as never, "2020-12");

  it.each([
    [{}, true],
    [{ suite: "slots", model, dataset: { name: "stock", sample_size: 10 } }, true],
    [{ models: [{ ...model, temperature: null }], options: { anything: [1] } }, true],
    [{ metrics: { thresholds: { eqs: 0.8 }, field_matching: { coerce_types: true } } }, true],
    [{ suit: "slots" }, false],
    [{ models: [] }, false],
    [{ model: { ...model, api_key: "sk-1" } }, true],
    [{ model: { ...model, api_key: "two\nlines" } }, false],
    [{ model: { name: "a", hybrid: { local: { model: "b" }, cloud: {} } } }, true],
    [{ model: { name: "a", hybrid: { local: { seed: 1 }, cloud: {} } } }, false],
    [{ model: { ...model, api_key_env: "sk-1" } }, false],
    [{ dataset: { sample_size: 0 } }, false],
    [{ performance: { num_workers: 201 } }, false],
  ])("validates %j like runConfigSchema", (config, isValid) => {
    expect(validator.validate(config).valid).toBe(isValid);
    expect(runConfigSchema.safeParse(config).success).toBe(isValid);
  });
});
