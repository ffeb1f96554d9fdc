import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvCell, csvRecord, csvRows } from "./csv.ts";

describe("csvCell()", () => {
  it.each<[unknown, string]>([
    ["plain", "plain"],
    ["", ""],
    [null, ""],
    [undefined, ""],
    [true, "true"],
    [0, "0"],
    [-1.5, "-1.5"],
    [1e21, "1e+21"],
    ['say "hi"', '"say ""hi"""'],
    ["a,b", '"a,b"'],
    ["a;b", '"a;b"'],
    ["a\r\nb", '"a\r\nb"'],
    ["a\tb", '"a\tb"'],
    [" a", '" a"'],
    [{ a: [1, "x"] }, '"{""a"":[1,""x""]}"'],
    ["a=b", "a=b"],
    ["a-b", "a-b"],
  ])("writes %j", (value, written) => {
    expect(csvCell(value)).toBe(written);
  });

  it.each([
    '=HYPERLINK("https://evil.example";"click")',
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "＝1+1",
    "－1",
    "-2+3+cmd|' /C calc'!A0",
  ])("writes %j as text with an apostrophe", (value) => {
    expect(csvCell(value).replace(/^"/, "")).toMatch(/^'/);
  });
});

describe("csvRecord()", () => {
  it("round-trips through a strict reader, except for added apostrophes", () => {
    const cell = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
        const read = parseRecord(csvRecord(cells));
        expect(read.map((text) => text.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/u, ""))).toEqual(cells);
      }),
    );
  });
});

/** A record as RFC 4180 reads it. */
function parseRecord(record: string): string[] {
  expect(record.endsWith("\r\n")).toBe(true);
  const cells = `,${record.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/gy);
  return [...cells].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "");
}

describe("csvRows()", () => {
  it("round-trips any cells that csvRecord() wrote", () => {
    const cell = fc.string({ unit: "binary" }).filter((text) => !text.startsWith("'"));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 5 }), (rows) => {
        const text = [["a", "b"], ...rows].map(csvRecord).join("");
        expect([...csvRows(text, ["b", "a"])]).toEqual(rows.map(([a, b]) => ({ a, b })));
      }),
    );
  });

  it.each([
    ["a,b\n1,2", [{ a: "1", b: "2" }]],
    ["a,b\r\n1\r\n", [{ a: "1", b: "" }]],
    ['a\n"x ""y""\n,z"\n', [{ a: 'x "y"\n,z', b: "" }]],
    ["", []],
    ["a,c\n1,2\n", [{ a: "1", b: "" }]],
    ["b,c,a\n1,2,3,4", [{ a: "3", b: "1" }]],
    ["a\n1,", [{ a: "1", b: "" }]],
    ['a\n"x', [null]],
    ['a\n1\nx"y', [{ a: "1", b: "" }, null]],
  ])("reads columns a and b of %j", (text, rows) => {
    const columns = ["a", "b"] as const;
    const read = [...csvRows(text, columns)];
    expect(read).toEqual(rows);
  });

  it("is linear in the text even with 20,000 columns", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `c${i}`);
    const read = [...csvRows(`${names.join()}\n${"x\n".repeat(20_000)}`, ["c0"])];
    expect(read).toEqual(Array(20_000).fill({ c0: "x" }));
  });
});
