import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRubric } from "./yaml-file.ts";

test.each([
  ["contains itself", "name: a\ncriteria: &a\n  - *a\n"],
  ["is a list", "- name: a\n"],
])("a rubric that %s is refused with what is expected", (_, text) => {
  const path = join(mkdtempSync(join(tmpdir(), "rubric-")), "rubric.yaml");
  writeFileSync(path, text);
  expect(() => readRubric(path)).toThrow("rubric.yaml: expected keys with values");
});
