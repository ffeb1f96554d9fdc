import { expect, it } from "vitest";
import { resumeBody } from "./control-run.ts";

it.each([
  [null, undefined],
  ["", { maxCostUsd: null }],
  [" 2.5 ", { maxCostUsd: 2.5 }],
])("resumeBody(%j) is %j", (limit, body) => {
  expect(resumeBody(limit)).toEqual(body);
});
