import { expect, it } from "vitest";
import { WAIT_MAX_MS } from "../runs/run-progress.ts";
import { retryAfterOf } from "./retry-after.ts";

const now = Date.parse("2026-11-20T10:00:00Z");

it.each([
  [null, null],
  ["", null],
  [" ", null],
  ["soon", null],
  ["NaN", null],
  ["Infinity", null],
  ["1e20", null],
  ["0x10", null],
  ["2", 2_000],
  [" 1.5 ", 1_500],
  ["0", 0],
  ["3600", WAIT_MAX_MS],
  ["3601", WAIT_MAX_MS],
  ["99999999999", WAIT_MAX_MS],
  ["9".repeat(400), WAIT_MAX_MS],
  ["Fri, 20 Nov 2026 10:01:00 GMT", 60_000],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["Fri, 31 Dec 9999 23:59:59 GMT", WAIT_MAX_MS],
  ["Sat, 13 Sep 275760 00:00:00 GMT", WAIT_MAX_MS],
])("retryAfterOf(%j) is %j", (header, waitMs) => {
  expect(retryAfterOf(header, now)).toBe(waitMs);
});

it("a negative number never asks for a wait", () => {
  expect(retryAfterOf("-5", now) ?? 0).toBe(0);
});
