import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { parsedJson } from "#shared/contracts/json.ts";
import { mostRatings, type Rating, ratingSchema } from "#shared/contracts/judging/rating.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { parseCsv } from "#shared/contracts/text/csv.ts";
import type { PlacedRating } from "./add-ratings.ts";

const notRatings = 'send JSON, {"ratings": […]}, or JSON lines or CSV, with its content-type';

/** Errors named in one reply. */
const MOST_ERRORS = 100;

/** A score as a person writes it; JavaScript also reads `0x1` and `1e0`. */
const decimal = /^-?\d+(\.\d+)?$/;

interface Row {
  place: PlacedRating["place"];
  value: unknown;
}

/** Columns of ratings as CSV; others are ignored, such as a text next to which people write their scores. */
export const ratingColumns = Object.keys(ratingSchema.shape) as (keyof Rating)[];

/** Ratings in a body of JSON, JSON lines or CSV; a record of CSV without a score is skipped. */
export function readRatings(type: string, text: string): Result<PlacedRating[], FieldError[]> {
  const rows = rowsOf(type.split(";")[0]!.trim().toLowerCase(), text);
  if (rows === null) return err([{ detail: notRatings }]);
  if (rows.length === 0 || rows.length > mostRatings) {
    return err([{ detail: `send 1 to ${mostRatings} ratings at once, not ${rows.length}` }]);
  }
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

function rowsOf(type: string, text: string): Row[] | null {
  if (type === "application/json") {
    const ratings = (parsedJson(text) as { ratings?: unknown } | null | undefined)?.ratings;
    if (!Array.isArray(ratings)) return null;
    return ratings.map((value, i) => ({ place: { pointer: `/ratings/${i}` }, value }));
  }
  if (type !== "text/csv") {
    const lines = text.split("\n").map((line, i) => ({ place: { line: i + 1 }, line }));
    const filled = lines.filter(({ line }) => line.trim() !== "");
    return filled.map(({ place, line }) => ({ place, value: parsedJson(line) }));
  }
  const rows = parseCsv(text)?.map((cells, i) => {
    const own = Object.fromEntries(ratingColumns.map((name) => [name, cells[name]?.trim()]));
    const { score = "" } = own;
    const value = { ...own, score: decimal.test(score) ? Number(score) : score };
    return { place: { line: i + 2 }, value, isRated: score !== "" };
  });
  return rows?.filter(({ isRated }) => isRated) ?? null;
}
