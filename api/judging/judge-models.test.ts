import { expect, it } from "vitest";
import { endWarning } from "./judge-models.ts";

const now = Date.parse("2026-11-28T12:00:00Z");
const model = { provider: "openai", model: "m", ends: null, replacement: null, listed: true };

it.each([
  ["has no announced end", {}, null],
  ["ends in 61 days", { ends: "2027-01-28" }, null],
  ["ends in 60 days", { ends: "2027-01-27" }, "Judge m ends on 2027-01-27."],
  ["ends tomorrow", { ends: "2026-11-29" }, "Judge m ends on 2026-11-29."],
  ["ends today", { ends: "2026-11-28" }, "Judge m ended on 2026-11-28."],
  ["is not listed", { listed: false }, "Judge m is not in openai's list of models."],
  ["is in no known list", { listed: null }, null],
  [
    "ends and has a successor",
    { ends: "2026-12-31", replacement: "n" },
    "Judge m ends on 2026-12-31; openai names n in its place.",
  ],
])("endWarning() of a judge that %s", (_, more, warning) => {
  expect(endWarning({ ...model, ...more }, now)).toBe(warning);
});
