import { describe, expect, it } from "vitest";
import { sampleFigures } from "./sample-figures.ts";

describe("sampleFigures()", () => {
  const figures = (schema: object | boolean) =>
    sampleFigures({ id: "a", text: "", schema: schema as never, expected_output: {}, tags: {} });

  it("counts the fields of the schema", () => {
    const schema = { properties: { a: {}, b: { properties: { c: {} } } }, required: ["a"] };
    expect(figures(schema)).toEqual({
      ...{ schemaFields: 2, requiredFields: 1, schemaDepth: 1, complexity: "simple" },
    });
  });

  it("is 0 for a schema that names nothing", () => {
    expect(figures(true)).toMatchObject({ schemaFields: 0, schemaDepth: 0 });
  });
});
