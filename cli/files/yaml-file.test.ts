import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readHttpTemplate, readRubric } from "./yaml-file.ts";

test.each([
  ["contains itself", "name: a\ncriteria: &a\n  - *a\n"],
  ["is a list", "- name: a\n"],
])("readRubric() refuses a rubric that %s and states what is expected", (_, text) => {
  const path = join(mkdtempSync(join(tmpdir(), "rubric-")), "rubric.yaml");
  writeFileSync(path, text);
  expect(() => readRubric(path)).toThrow("rubric.yaml: expected keys with values");
});

test("readRubric() refuses a file that is not UTF-8", () => {
  const path = join(mkdtempSync(join(tmpdir(), "rubric-")), "rubric.yaml");
  writeFileSync(path, Buffer.from("name: Café\n", "latin1"));
  expect(() => readRubric(path)).toThrow("rubric.yaml: not UTF-8 text: save it as UTF-8");
});

test("readHttpTemplate() refuses a misspelt key and states the file and the known keys", () => {
  const path = join(mkdtempSync(join(tmpdir(), "template-")), "http.yaml");
  writeFileSync(path, "url: http://localhost:9000\noutput: a\n");
  expect(() => readHttpTemplate(path)).toThrow(
    /http\.yaml: \/output: there is no field "output" here; its keys are url, method, headers, body, reply$/,
  );
});
