import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pieceReader } from "./answer-index.ts";

const length = 3_000_000;
const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 255));
const folder = mkdtempSync(join(tmpdir(), "assay-pieces-"));
let fd = -1;

beforeAll(() => {
  writeFileSync(join(folder, "bytes"), bytes);
  fd = openSync(join(folder, "bytes"), "r");
});
afterAll(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true });
});

describe("pieceReader()", () => {
  // biome-ignore format: a table
  test.each([
    ["in order", [[0, 10], [11, 500_000], [500_012, 900_000], [1_400_013, 1_599_987]]],
    ["out of order", [[2_000_000, 100], [5, 70], [1_000_000, 1_500_000], [0, 4], [2_999_990, 10]]],
    ["in order again", [[2_000_000, 100], [100, 50], [151, 49], [201, 2_000_000]]],
  ])("reads pieces %s", (_, pieces) => {
    const read = pieceReader(fd);
    for (const [offset = 0, count = 0] of pieces) {
      expect(read(offset, count).equals(bytes.subarray(offset, offset + count))).toBe(true);
    }
  });

  test("returns the remaining bytes at the end of the file", () => {
    expect(pieceReader(fd)(length - 3, 10)).toHaveLength(3);
  });
});
