import { join } from "node:path";
import { expect, it } from "vitest";
import { readRunConfig } from "../../../cli/config/read-run-config.ts";
import { root } from "../../../cli/local/root.ts";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";

const rubric = "name: Tone\ncriteria:\n  - { id: kind, question: Is it kind?, weight: 2 }\n";
const config = (more: string) =>
  `suite: rubric\nmodel: { name: a, base_url: https://api.example.com/v1 }\ndataset: { name: stock }\n${more}`;

/** Output of validate-config for a config with these files next to it. */
async function checked(text: string, files: Record<string, string> = {}) {
  const { path, dispose } = folderWith({ "assay.yaml": text, ...files });
  // Runs in another working folder, since the rubric's path is relative to the config.
  try {
    return await assay(path, ["validate-config", join(path, "assay.yaml")]);
  } finally {
    dispose();
  }
}

it("validate-config accepts a rubric in the config, or in a YAML or JSON file next to it", async () => {
  const valid = { code: 0, stdout: "assay.yaml is valid: rubric on stock, a\n" };
  expect(await checked(config("rubric: tone.yaml\n"), { "tone.yaml": rubric })).toMatchObject(
    valid,
  );
  const json = JSON.stringify({
    name: "Tone",
    criteria: [{ id: "kind", question: "Is it kind?" }],
  });
  expect(await checked(config("rubric: tone.json\n"), { "tone.json": json })).toMatchObject(valid);
  const inline = `rubric:\n${rubric.replace(/^/gm, "  ").trimEnd()}\n`;
  expect(await checked(config(inline))).toMatchObject(valid);
});

it("examples/rubric/assay.yaml is valid and sets the rubric option", async () => {
  const file = join(root, "examples/rubric/assay.yaml");
  expect(await assay(join(root, "examples/rubric"), ["validate-config", file])).toMatchObject({
    code: 0,
    stdout: "assay.yaml is valid: rubric on support, Sim Medium\n",
  });
  expect(readRunConfig(file).config?.rubric).toMatchObject({
    criteria: [{ id: "accurate" }, { id: "kind" }, { id: "promises" }],
  });
});

it.each([
  ["tone.yml", {}, "4: error: rubric: ", "tone.yml: there is no such file"],
  ["tone.yaml", { "tone.yaml": "a: [1\n" }, "4: error: rubric: ", "tone.yaml:2: it is not YAML"],
  ["tone.yaml", { "tone.yaml": "- kind\n" }, "4: error: rubric: ", "expected keys with values"],
  [
    "tone.yaml",
    {
      "tone.yaml": `${rubric}  - { id: short, question: "Short?", levels: [{ score: 1, means: "" }] }\n`,
    },
    "4: error: rubric.criteria[1].levels",
    "",
  ],
])("validate-config names the place of an error in %s", async (name, files, place, reason) => {
  const { code, stdout } = await checked(config(`rubric: ${name}\n`), files);
  expect(code).toBe(2);
  expect(stdout).toContain(`assay.yaml:${place}`);
  expect(stdout).toContain(reason);
});

it("validate-config names the line of a rubric error in the config", async () => {
  const inline =
    "rubric:\n  name: Tone\n  criteria:\n    - id: kind\n      question: Is it kind?\n      wieght: 2\n";
  const { code, stdout } = await checked(config(inline));
  expect([code, stdout]).toEqual([
    2,
    expect.stringMatching(/^assay\.yaml:9: error: rubric\.criteria\[0\].*wieght/),
  ]);
});

it("validate-config warns of a rubric for a suite without rubrics", async () => {
  const { code, stdout } = await checked(
    config(`rubric:\n${rubric.replace(/^/gm, "  ").trimEnd()}\n`).replace(
      "suite: rubric",
      "suite: slots",
    ),
  );
  expect([code, stdout]).toEqual([0, expect.stringContaining("warning: rubric")]);
});

it("validate-config refuses a variant of a prompt that the suite does not have", async () => {
  const memory = config('variants:\n  one: { user: "{text}" }\n').replace("rubric", "memory");
  const { code, stdout } = await checked(memory);
  expect(code).toBe(2);
  expect(stdout).toContain(
    "assay.yaml:5: error: variants.one.user: the suite memory has no user prompt",
  );
});

it("validate-config accepts prompt variants with the query and refuses variants without it", async () => {
  const fine = await checked(config('variants:\n  one: { user: "Q: {query}" }\n'));
  expect(fine).toMatchObject({ code: 0 });
  const { code, stdout } = await checked(config('prompts: { user: "{text}" }\n'));
  expect(code).toBe(2);
  expect(stdout).toContain("assay.yaml:4: error: prompts.user: must contain {query}");
  const varied = await checked(config('variants:\n  one: { user: "{text}" }\n'));
  expect(varied.stdout).toContain("variants.one.user: must contain {query}");
});

it("validate-config refuses extraction prompts and variants that never show the text", async () => {
  const extraction = (more: string) => checked(config(more).replace("rubric", "extraction"));
  const { code, stdout } = await extraction('prompts: { user: "Extract from {txt}" }\n');
  expect(code).toBe(2);
  const problem = "must contain {text}, or the model never sees the text";
  expect(stdout).toContain(`assay.yaml:4: error: prompts.user: ${problem}`);
  const varied = await extraction('variants:\n  one: { user: "Extract {schema}" }\n  two: {}\n');
  expect(varied.stdout).toContain(`assay.yaml:5: error: variants.one.user: ${problem}`);
  const fine = await extraction('prompts: { system: "Extract from {text}", user: "{schema}" }\n');
  expect(fine).toMatchObject({ code: 0 });
});
