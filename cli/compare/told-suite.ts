import { closeSync } from "node:fs";
import type { Json } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { parseRow } from "../score/parse-row.ts";
import { readLines } from "../score/read-lines.ts";
import { openDataset } from "./open-dataset.ts";

/** Rows looked at: a few that are malformed do not hide what the others are. */
const LOOKED_AT = 20;

/** How `assay compare` takes the name of a suite. */
const AS_COMPARED = "as in assay compare";

/** The suite that a dataset is for, where no argument names one. `how`: how one would. Throws BadInput. */
export function toldSuite(
  dataset: string,
  known: readonly Suite[] = suites,
  how: string = AS_COMPARED,
): Suite {
  const [only, ...others] = known;
  if (only !== undefined && others.length === 0) return only;
  const told = suiteOfRows(firstRows(dataset), known, how);
  if (told.ok) return told.value;
  throw new BadInput(`${dataset}: ${told.error}`);
}

/**
 * The one suite that takes every row that any suite takes; the error says what to do where there is
 * none, or more than one.
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
    return err(`its first rows are no samples of ${ids(known)}; ${name} ${known[0]?.id}`);
  }
  const fitting = known.filter((suite) => takers.every((taking) => taking.includes(suite)));
  const [told] = fitting;
  if (told !== undefined && fitting.length === 1) return ok(told);
  const said =
    told === undefined
      ? "its first rows are samples of different suites"
      : `its first rows fit ${ids(fitting)}`;
  return err(`${said}; ${name} ${(told ?? takers[0]![0]!).id}`);
}

function firstRows(dataset: string): Json[] {
  const { fd, name } = openDataset(dataset);
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
