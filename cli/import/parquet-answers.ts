import type { JsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../errors.ts";
import { parquetRows } from "../files/read-parquet.ts";
import { answerFields } from "../score/schema-problem.ts";
import { type PlacedAnswer, sampleId } from "./imported-answers.ts";

interface ParquetAnswers {
  path: string;
  /** The column with the samples' ids. */
  idField: string;
  /** The column with the model's output. */
  outputField: string;
}

/** Fields of which an answer has exactly one. */
const replies = ["output", "toolCalls", "refusal", "error"];

/**
 * Answers of a Parquet file: one row per answer, with columns named like the fields of an answer. Other columns are
 * ignored, and null cells are left out. Throws BadInput.
 */
export async function* parquetAnswers(file: ParquetAnswers): AsyncGenerator<PlacedAnswer> {
  const { path, idField, outputField } = file;
  let number = 0;
  for await (const row of parquetRows(path)) {
    const place = `${path}: row ${++number}`;
    const id = sampleId(row[idField]);
    if (id === null) {
      throw new BadInput(
        `${place}: it has no "${idField}"; name the column of the samples' ids by --id-field`,
      );
    }
    const answer = { ...fieldsOf({ ...row, output: row[outputField] ?? null }), id };
    if (!replies.some((name) => name in answer)) {
      const advice = "name the column of the model's output by --output-field";
      throw new BadInput(`${place}: it has no "${outputField}"; ${advice}`);
    }
    yield { place, answer };
  }
  if (number === 0) throw new BadInput(`${path}: it has no rows`);
}

const fieldsOf = (row: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(row).filter(([name, value]) => value !== null && answerFields.includes(name)),
  );
