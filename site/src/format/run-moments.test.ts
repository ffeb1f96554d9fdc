import { expect, it } from "vitest";
import { runMoments } from "./run-moments.ts";

it.each([
  [[], []],
  [["2026-11-20T08:36:54.120Z"], ["20 Nov 2026"]],
  [
    ["2026-11-20T08:36:54Z", "2026-11-21T08:36:54Z"],
    ["20 Nov 2026", "21 Nov 2026"],
  ],
  [
    ["2026-11-20T08:36:54Z", "2026-11-21T08:36:54Z", "2026-11-21T09:01:00Z"],
    ["20 Nov 2026", "21 Nov 2026, 08:36 UTC", "21 Nov 2026, 09:01 UTC"],
  ],
  [
    ["2026-11-21T08:36:04.001Z", "2026-11-21T08:36:54Z"],
    ["21 Nov 2026, 08:36:04 UTC", "21 Nov 2026, 08:36:54 UTC"],
  ],
])("runMoments() of %j is %j", (ended, said) => {
  expect(runMoments(ended)).toEqual(said);
});
