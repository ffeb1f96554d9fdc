import type { FieldRow, FieldTable, JudgedPart } from "../../../contracts/suite.ts";
import type { ExtractionSample } from "../sample.ts";
import { categoryCredit } from "../score/fields/category.ts";
import {
  type DiagnosedField,
  errorPatterns,
  hallucinations,
} from "../score/fields/diagnosed-field.ts";
import { lostOutput } from "../score/lost-output.ts";
import type { ExtractionDetail, UnscoredDetail } from "../score/score.ts";
import { extractionFaults } from "./show-sample.ts";

/**
 * Matched fields of an answer, one per row. Fields of an invalid output or a failed request do not count; a separate
 * column has their category as if the output were valid.
 * Source: docs/spec/extraction.md, sections 3, 4 and 8.
 * @example fieldTable.rows(shown)[0]?.["category"] // "exact"
 */
export const fieldTable: FieldTable<ExtractionSample, ExtractionDetail | UnscoredDetail> = {
  columns: [
    { id: "path", description: "place in the output, with indices" },
    { id: "namePath", description: "the same without indices" },
    { id: "type", description: "JSON type expected; empty for a spurious field" },
    { id: "predictedType", description: "JSON type answered, or absent or null" },
    { id: "expected", description: "value" },
    { id: "predicted", description: "value" },
    {
      id: "category",
      description:
        "exact, partial, incorrect, missed or spurious; invalid_output, failed_request: nothing counts",
    },
    { id: "score", description: "contribution to partial F1: 1, 0.5 or 0" },
    {
      id: "similarity",
      description: "composite similarity, 0–1; empty where only one side has it",
    },
    { id: "typeCorrect", description: "whether it has the type of the schema" },
    { id: "required", description: "whether the schema requires it" },
    { id: "pattern", description: "error pattern" },
    { id: "hallucination", description: "origin of a value that should not be there" },
    { id: "salvaged", description: "of an invalid output: the category as if it were valid" },
  ],
  rows({ answer, score: { detail } }) {
    if (detail === null || !("fields" in detail)) return [];
    const lost = lostOutput({ covered: answer.error === null, detail });
    if (lost === null) return detail.fields.map(rowOf);
    const category = lost === "failedRequest" ? "failed_request" : "invalid_output";
    const { salvage } = detail;
    return (salvage ?? detail).fields.map((field) => ({
      ...rowOf(field),
      category,
      score: 0,
      ...(salvage === undefined
        ? { predictedType: null, typeCorrect: null, pattern: null }
        : { salvaged: field.category }),
    }));
  },
  parts: {
    name: "field",
    of: partOf,
    verdicts: [
      ...Object.keys(categoryCredit),
      "invalid_output",
      ...extractionFaults,
      "failed_request",
    ],
    patterns: [...errorPatterns, ...hallucinations],
  },
};

/** For a lost output, the errors that it would have if it were valid. */
function partOf({ namePath, category, pattern, hallucination }: FieldRow): JudgedPart {
  const counts = categoryCredit[category as DiagnosedField["category"]] !== undefined;
  return {
    path: `${namePath || "(root)"}`,
    verdict: `${category}`,
    isRight: category === "exact",
    patterns: counts ? [pattern, hallucination].filter((one) => typeof one === "string") : [],
    judge: null,
  };
}

function rowOf(field: DiagnosedField): FieldRow {
  const { path, namePath, category, typeCorrect, required, pattern, hallucination } = field;
  return {
    path,
    namePath,
    type: field.expectedType,
    predictedType: field.predictedType,
    expected: field.expected ?? null,
    predicted: field.predicted ?? null,
    category,
    score: categoryCredit[category],
    similarity: field.composite,
    typeCorrect,
    required,
    pattern,
    hallucination,
    salvaged: null,
  };
}
