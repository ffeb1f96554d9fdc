import { fieldErrors, pointerOf } from "#shared/contracts/field-errors.ts";
import { isJsonObject, parsedJson } from "#shared/contracts/json.ts";
import { mostRatings, type Rating, ratingSchema } from "#shared/contracts/judging/rating.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { parseCsv } from "#shared/contracts/text/csv.ts";
import type { PlacedRating } from "./add-ratings.ts";

/** Errors named in one reply. */
const MOST_ERRORS = 100;

interface Row {
  place: PlacedRating["place"];
  value: unknown;
}

/** Columns of ratings as CSV; others are ignored, such as a text next to which people write their scores. */
export const ratingColumns = Object.keys(ratingSchema.shape) as (keyof Rating)[];

/** Ratings in a body of JSON, JSON lines or CSV; a line of CSV without a score is skipped. */
export function readRatings(type: string, text: string): Result<PlacedRating[], FieldError[]> {
  const rows = rowsOf(type.split(";")[0]!.trim().toLowerCase(), text);
  if (rows === null) return err([{ detail: "the body is not JSON, JSON lines or CSV of ratings" }]);
  if (rows.length === 0 || rows.length > mostRatings) {
    return err([{ detail: `send 1 to ${mostRatings} ratings at once, not ${rows.length}` }]);
  }
  const placed: PlacedRating[] = [];
  const errors: FieldError[] = [];
  for (const { place, value } of rows) {
    const read = ratingSchema.safeParse(value);
    if (read.success) placed.push({ place, rating: read.data });
    else errors.push(...rowErrors(place, read.error.issues, value));
  }
  return errors.length > 0 ? err(errors.slice(0, MOST_ERRORS)) : ok(placed);
}

function rowErrors(
  { pointer: base, line }: Row["place"],
  issues: Parameters<typeof fieldErrors>[0],
  value: unknown,
): FieldError[] {
  const errors = fieldErrors(issues, value, base);
  if (line === undefined) return errors;
  return errors.map(({ pointer, detail }) => ({ line, detail: `${pointer?.slice(1)}: ${detail}` }));
}

function rowsOf(type: string, text: string): Row[] | null {
  if (type === "text/csv") return csvRows(text);
  if (type !== "application/json") {
    const lines = text.split("\n").map((line, i) => ({ place: { line: i + 1 }, line }));
    return lines.flatMap(({ place, line }) =>
      line.trim() === "" ? [] : [{ place, value: parsedJson(line) }],
    );
  }
  const body = parsedJson(text);
  if (!isJsonObject(body) || !Array.isArray(body["ratings"])) return null;
  return body["ratings"].map((value, i) => ({
    place: { pointer: pointerOf(["ratings", i]) },
    value,
  }));
}

function csvRows(text: string): Row[] | null {
  const records = parseCsv(text);
  if (records === null) return null;
  return records.flatMap(({ number, cells }) => {
    if ((cells["score"] ?? "").trim() === "") return [];
    const own = ratingColumns.map((name) => [name, cells[name]]);
    const value = { ...Object.fromEntries(own), score: Number(cells["score"]) };
    return [{ place: { line: number + 1 }, value }];
  });
}
