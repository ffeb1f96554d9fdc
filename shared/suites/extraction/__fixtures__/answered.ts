import { emptyAnswer } from "../../../contracts/answer.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import { callOf } from "../../../measures/performance/call-totals.ts";
import type { DiagnosedField } from "../score/fields/diagnosed-field.ts";
import type { SchemaComplexity } from "../score/schema-complexity.ts";
import type { ExtractionDetail } from "../score/score.ts";
import { emptyTally, fieldRates } from "../score/tally.ts";

/** A field of an answer; missed by default. */
export function aDiagnosis(path: string, part: Partial<DiagnosedField> = {}): DiagnosedField {
  return {
    path,
    namePath: path,
    depth: path.split(".").length - 1,
    category: "missed",
    composite: null,
    identical: false,
    typeCorrect: null,
    expectedType: "string",
    predictedType: "absent",
    required: true,
    similarity: null,
    hallucination: null,
    surplusElements: 0,
    pattern: null,
    ...part,
  };
}

const simple: SchemaComplexity = {
  totalFields: 4,
  requiredFields: 2,
  optionalFields: 2,
  maxDepth: 0,
  hasArrays: false,
  hasNestedObjects: false,
  typeDiversity: 2,
  enumFields: 0,
  formatFields: 0,
  bin: "simple",
};

interface AnsweredPart {
  tags?: Record<string, string>;
  detail?: Partial<Omit<ExtractionDetail, "complexity">>;
  complexity?: Partial<SchemaComplexity>;
  call?: Partial<ScoredSample["call"]>;
}

/** A scored sample with these fields; a valid answer by default. */
export function answered(
  seq: number,
  fields: DiagnosedField[],
  { tags = {}, detail = {}, complexity = {}, call = {} }: AnsweredPart = {},
): ScoredSample<ExtractionDetail> {
  const tally = emptyTally();
  for (const field of fields) {
    tally[field.category]++;
    if (field.identical) tally.identical++;
    if (field.category === "exact" || (field.composite ?? 0) >= 0.3) tally.lenient++;
    if (field.typeCorrect) tally.typeCorrect++;
  }
  const rates = fieldRates(tally);
  const { partialF1, typeAccuracy, hallucinationRate } = rates;
  const earned = 0.15 + 0.5 * partialF1 + 0.2 * typeAccuracy + 0.15 * (1 - hallucinationRate);
  const valid = detail.valid ?? true;
  const emptyCall = callOf(emptyAnswer);
  const scored: ExtractionDetail = {
    ...tally,
    ...rates,
    fields,
    fieldsLeftOut: 0,
    exactMatch: false,
    alignment: "exact",
    eqs: valid ? earned : 0,
    status: "answered",
    parse: "clean",
    truncated: false,
    inputChars: 200 + 100 * seq,
    outputChars: 30,
    valid,
    validAsIs: valid,
    schemaErrors: [],
    complexity: { ...simple, ...complexity },
    ...detail,
  };
  const covered = (call.error ?? null) === null;
  return {
    seq,
    id: `s${seq}`,
    tags,
    score: { status: "scored", score: scored.eqs, covered, detail: scored },
    call: { ...emptyCall, attempts: 1, ...call },
  };
}
