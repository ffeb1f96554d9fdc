import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { parsedJson } from "#shared/contracts/json.ts";
import { mostRatings, type Rating, ratingSchema } from "#shared/contracts/judging/rating.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { csvRows } from "#shared/contracts/text/csv.ts";
import { linesOf, lineText, parsedRow } from "../datasets/read-rows.ts";
import { utf8Text } from "../security/json-depth.ts";
import type { PlacedRating } from "./add-ratings.ts";

const notRatings = 'send JSON, {"ratings": […]}, or JSON lines or CSV, with its content-type';

/** Maximum errors named in one reply. */
const MOST_ERRORS = 100;

/** A score as a person writes it; JavaScript also reads `0x1` and `1e0`. */
const decimal = /^-?\d+(\.\d+)?$/;

interface Row {
  place: PlacedRating["place"];
  value: unknown;
}

/** Columns of ratings in CSV; other columns are ignored, such as texts next to which people write their scores. */
export const ratingColumns = Object.keys(ratingSchema.shape) as (keyof Rating)[];

/** Ratings in a body of JSON, JSON lines or CSV; a record of CSV without a score is skipped. */
export function readRatings(type: string, body: Uint8Array): Result<PlacedRating[], FieldError[]> {
  if (utf8Text(body) === null)
    return err([{ detail: "the body is not UTF-8 text: save it in UTF-8" }]);
  const rows: Row[] = [];
  // Reads no more than may be sent, because a body of short lines could fill the memory.
  for (const row of rowsOf(type.split(";")[0]!.trim().toLowerCase(), body)) {
    if (row === null) return err([{ detail: notRatings }]);
    if (rows.push(row) > mostRatings) break;
  }
  if (rows.length === 0 || rows.length > mostRatings) {
    const count = rows.length === 0 ? "none" : "more";
    return err([{ detail: `send 1 to ${mostRatings} ratings at once, not ${count}` }]);
  }
  return readEach(rows);
}

function readEach(rows: readonly Row[]): Result<PlacedRating[], FieldError[]> {
  const placed: PlacedRating[] = [];
  const errors: FieldError[] = [];
  for (const { place, value } of rows) {
    const read = ratingSchema.safeParse(value);
    if (read.success) placed.push({ place, rating: read.data });
    for (const { pointer = "", detail } of fieldErrors(read.error?.issues ?? [], value)) {
      errors.push({ ...place, detail: `${pointer.slice(1)}: ${detail}` });
    }
  }
  return errors.length > 0 ? err(errors.slice(0, MOST_ERRORS)) : ok(placed);
}

/** The ratings of a body one by one; null if it does not have the stated type. */
function rowsOf(type: string, body: Uint8Array): Iterable<Row | null> {
  if (type === "text/csv") return csvRatings(lineText(body));
  if (type !== "application/json") return lineRatings(body);
  const ratings = (parsedJson(lineText(body)) as { ratings?: unknown } | null | undefined)?.ratings;
  if (!Array.isArray(ratings)) return [null];
  return ratings.map((value, i) => ({ place: { pointer: `/ratings/${i}` }, value }));
}

function* csvRatings(text: string): Generator<Row | null> {
  let line = 1;
  for (const cells of csvRows(text, ratingColumns)) {
    line += 1;
    if (cells === null) return yield null;
    const texts = Object.entries(cells).map(([name, cell]) => [name, cell.trim()]);
    const own = Object.fromEntries(texts) as typeof cells;
    const score = decimal.test(own.score) ? Number(own.score) : own.score;
    if (score !== "") yield { place: { line }, value: { ...own, score } };
  }
}

function* lineRatings(body: Uint8Array): Generator<Row> {
  for (const { number: line, bytes } of linesOf(body)) {
    const row = parsedRow(bytes);
    yield { place: { line }, value: row.ok ? row.value : undefined };
  }
}
