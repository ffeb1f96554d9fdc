import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const schema = {
  type: "object",
  properties: {
    id: { type: "string", "x-aws-stickler-comparator": "ExactComparator" },
    total: { type: "number", "x-assay-rule": { compare: "number", tolerance: 0.01 } },
    notes: { type: "string" },
    due: { type: "string", "x-assay-rule": { compare: "day" } },
  },
};
const rules = {
  total: { compare: "number", relativeTolerance: 0.1 },
  notes: { compare: "ignore" },
};
const folder = folderWith({
  "schema.json": JSON.stringify(schema),
  "options.json": JSON.stringify({ fieldRules: rules }),
  "odd.json": JSON.stringify({ fieldRules: { total: { compare: "almost" } } }),
});
afterAll(folder.dispose);

const run = (...args: string[]) => assay(folder.path, ["dataset", "rules", ...args]);

it("prints the rules of a schema as options and lists the ignored rules", async () => {
  const { code, stdout, stderr } = await run("schema.json");
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^rule ignored for due: compare: must be one of .*, not "day"\n$/),
  ]);
  expect(JSON.parse(stdout)).toEqual({
    fieldRules: { id: { compare: "exact" }, total: { compare: "number", tolerance: 0.01 } },
  });
});

it("writes rules as Stickler keywords and lists rules without an equivalent", async () => {
  const { code, stderr } = await run("schema.json", "--rules", "options.json", "--out", "to.json");
  expect(code).toBe(0);
  expect(stderr).toMatch(/^notes: left out: /m);
  const { properties } = JSON.parse(readFileSync(join(folder.path, "to.json"), "utf8"));
  expect(properties.total).toMatchObject({
    "x-aws-stickler-comparator": "NumericComparator",
    "x-aws-stickler-comparator-config": { relative_tolerance: 0.1 },
  });
});

it.each<[args: string[], message: string]>([
  [["schema.json", "--rules", "odd.json"], "odd.json: /fieldRules/total/compare: must be"],
  [["schema.json", "--rules", "schema.json"], "schema.json: "],
  [["none.json"], "none.json: there is no such file"],
])("refuses %j", async (args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
});
