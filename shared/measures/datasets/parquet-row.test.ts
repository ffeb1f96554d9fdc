import { expect, test } from "vitest";
import { parquetRow } from "./parquet-row.ts";

const bytes = (...values: number[]) => new Uint8Array(values);

test("parquetRow() converts large integers to text, so that they stay distinct", () => {
  const ids = [2n ** 53n, 2n ** 53n + 1n, -(2n ** 63n), 4n];
  expect(parquetRow({ ids })).toEqual({
    ok: true,
    value: { ids: ["9007199254740992", "9007199254740993", "-9223372036854775808", 4] },
  });
});

test("parquetRow() decodes UTF-8 bytes and formats times", () => {
  const row = { text: bytes(0xc3, 0xa9), at: new Date(0), none: null, list: [{ a: bytes(97) }] };
  const value = { text: "é", at: "1970-01-01T00:00:00.000Z", none: null, list: [{ a: "a" }] };
  expect(parquetRow(row)).toEqual({ ok: true, value });
});

test("parquetRow() rejects bytes that are not UTF-8", () => {
  expect(parquetRow({ id: 1n, image: bytes(0xff, 0xd8) })).toEqual({
    ok: false,
    error: '"image" contains bytes: leave the column out, or write its text',
  });
});
