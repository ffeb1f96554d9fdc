import { describe, expect, test } from "vitest";
import { err, ok } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suiteOfRows } from "./recognize-suite.ts";

/** A suite whose samples have all of these fields. */
function taking(id: string, ...fields: string[]): Suite {
  const checkSample = (row: object) =>
    fields.every((field) => field in row) ? ok({ sample: row, warnings: [] }) : err("no");
  return { id, checkSample } as unknown as Suite;
}

const suites = [taking("texts", "text"), taking("tables", "text", "rows"), taking("turns", "turn")];
const recognized = (...rows: Record<string, number>[]) => {
  const found = suiteOfRows(rows, suites);
  return found.ok ? found.value.id : found.error;
};

describe("suiteOfRows()", () => {
  test("returns the only suite that accepts the rows, ignoring malformed rows", () => {
    expect(recognized({ turn: 1 }, { trun: 1 }, { turn: 2 })).toBe("turns");
    expect(recognized({ text: 1, rows: 1 }, { text: 1 })).toBe("texts");
  });

  test.each([
    [
      [],
      "its first rows are not samples of texts, tables, turns; name the suite, as in assay compare texts",
    ],
    [
      [{ text: 1, rows: 1 }],
      "its first rows fit texts, tables; name the suite, as in assay compare texts",
    ],
    [
      [{ turn: 1 }, { text: 1 }],
      "its first rows are samples of different suites; name the suite, as in assay compare turns",
    ],
  ])("fails for %j and says what to do", (rows, message) => {
    expect(recognized(...(rows as Record<string, number>[]))).toBe(message);
  });
});
