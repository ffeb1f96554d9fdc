import { expect, it } from "vitest";
import { packageOf } from "./licences.ts";

it.each([
  ["node_modules/zod/v4/index.js", "node_modules/zod"],
  ["node_modules/@noble/hashes/sha2.js", "node_modules/@noble/hashes"],
  ["node_modules/a/node_modules/@b/c/index.js", "node_modules/a/node_modules/@b/c"],
  ["../../srv/assay/node_modules/@noble/hashes/sha2.js", "node_modules/@noble/hashes"],
  ["shared/suites/registry.ts", null],
])("packageOf(%j) is %j", (file, folder) => {
  expect(packageOf(file)).toBe(folder);
});
