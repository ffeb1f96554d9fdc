import { closeSync } from "node:fs";
import type { Json } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suites } from "#shared/suites/registry.ts";
import { openSeekableDataset } from "../compare/compare-paths.ts";
import { BadInput } from "../errors.ts";
import { parseRow, readLines } from "../files/read-lines.ts";

/** Number of examined rows, so that a few malformed rows do not matter. */
const LOOKED_AT = 20;

/** Example of naming a suite, for errors of `assay compare`. */
const AS_COMPARED = "as in assay compare";

/** Recognizes the suite of a dataset. `how`: example of how to name a suite, for errors. Throws BadInput. */
export function recognizeSuite(
  dataset: string,
  known: readonly Suite[] = suites,
  how: string = AS_COMPARED,
): Suite {
  const [only, ...others] = known;
  if (only !== undefined && others.length === 0) return only;
  const recognized = suiteOfRows(firstRows(dataset), known, how);
  if (recognized.ok) return recognized.value;
  throw new BadInput(`${dataset}: ${recognized.error}`);
}

/**
 * The only suite that accepts every row that any suite accepts; the error says what to do if there is
 * none or more than one.
 * @example suiteOfRows([{ id: "a", text: "", schema: {}, expected_output: {} }], suites)
 */
export function suiteOfRows(
  rows: readonly Json[],
  known: readonly Suite[],
  how: string = AS_COMPARED,
): Result<Suite, string> {
  const takers = rows
    .map((row) => known.filter((suite) => suite.checkSample(row).ok))
    .filter((taking) => taking.length > 0);
  const ids = (some: readonly Suite[]) => some.map(({ id }) => id).join(", ");
  const name = `name the suite, ${how}`;
  if (takers.length === 0) {
    return err(`its first rows are not samples of ${ids(known)}; ${name} ${known[0]?.id}`);
  }
  const fitting = known.filter((suite) => takers.every((taking) => taking.includes(suite)));
  const [suite] = fitting;
  if (suite !== undefined && fitting.length === 1) return ok(suite);
  const reason =
    suite === undefined
      ? "its first rows are samples of different suites"
      : `its first rows fit ${ids(fitting)}`;
  return err(`${reason}; ${name} ${(suite ?? takers[0]![0]!).id}`);
}

function firstRows(dataset: string): Json[] {
  const { fd, name } = openSeekableDataset(dataset);
  try {
    const rows: Json[] = [];
    let looked = 0;
    for (const line of readLines(fd, name)) {
      const row = parseRow(line.bytes);
      if (row.ok) rows.push(row.value);
      if (++looked === LOOKED_AT) break;
    }
    return rows;
  } finally {
    closeSync(fd);
  }
}
