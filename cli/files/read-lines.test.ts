import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { linesOf as linesOfFile, readLines } from "./read-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-lines-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Number, offset and text of each line of a file with this content. */
function linesOf(content: string | Buffer, maxBytes?: number) {
  const path = join(folder, "lines");
  writeFileSync(path, content);
  const fd = openSync(path, "r");
  try {
    const lines = readLines(fd, "lines", maxBytes);
    return Array.from(lines, ({ number, offset, bytes }) => [number, offset, bytes.toString()]);
  } finally {
    closeSync(fd);
  }
}

describe("readLines()", () => {
  // biome-ignore format: a table
  test.each([
    ["an empty file", "", []],
    ["only blank lines", "\n \r\n\t\n", []],
    ["a last line without a line break", "a\nb", [[1, 0, "a"], [2, 2, "b"]]],
    ["CRLF", "a\r\nb\r\n", [[1, 0, "a"], [2, 3, "b"]]],
    ["a byte order mark", "\uFEFFa\nb", [[1, 3, "a"], [2, 5, "b"]]],
    ["blank lines between", "a\n\n  \nb", [[1, 0, "a"], [4, 6, "b"]]],
    ["space around a line", "  a \nb", [[1, 2, "a"], [2, 5, "b"]]],
  ])("reads %s", (_, content, lines) => {
    expect(linesOf(content)).toEqual(lines);
  });

  test("reads lines longer than a chunk, and the lines after them", () => {
    const long = "x".repeat(5_000_000);
    expect(linesOf(`a\n${long}\nb\n${long}`)).toEqual([
      [1, 0, "a"],
      [2, 2, long],
      [3, 5_000_003, "b"],
      [4, 5_000_005, long],
    ]);
  });

  test("refuses a line over the limit and states its number", () => {
    for (const length of [(1 << 20) + 1, 3 << 20]) {
      const content = `a\n${"x".repeat(length)}\nb`;
      expect(() => linesOf(content, 1 << 20)).toThrow("lines:2: the line is longer than 1 MB");
    }
    expect(linesOf(`a\n${"x".repeat(1 << 20)}`, 1 << 20)).toHaveLength(2);
  });

  test("finds the same lines as a split of the whole text", () => {
    const text = fc.array(fc.constantFrom("\n", "\r\n", "é", "long word ", "{}"), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(text, (parts) => {
        const whole = parts.join("");
        const expected = whole.split(/\r?\n/).flatMap((line, i) => {
          return line.trim() === "" ? [] : [[i + 1, line.trim()]];
        });
        expect(linesOf(whole).map(([number, , line]) => [number, line])).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});

test("linesOf() reads two files alternately after an incomplete read of another", () => {
  const paths = ["a", "b"].map((name) => join(folder, name));
  for (const path of paths) writeFileSync(path, `${path} 1\n${path} 2\n`);
  for (const _ of linesOfFile(paths[0]!)) break;
  const [one, other] = paths.map(linesOfFile);
  for (const i of [1, 2]) {
    const [first, second] = [one!.next().value, other!.next().value];
    expect([`${first?.bytes}`, `${second?.bytes}`]).toEqual(paths.map((path) => `${path} ${i}`));
  }
});
