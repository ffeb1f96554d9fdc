import { emptyAnswer } from "../../../contracts/answer.ts";
import type { ScoredSample } from "../../../contracts/suite.ts";
import { callOf } from "../../../measures/performance/call-totals.ts";
import { hash32 } from "../../../stats/hash32.ts";
import type { DiagnosedField, FieldType } from "../score/fields/diagnosed-field.ts";
import type { ExtractionDetail } from "../score/score.ts";
import { emptyTally, fieldRates } from "../score/tally.ts";

const types: readonly FieldType[] = ["string", "string", "number", "boolean", "array"];
const fieldsOfSample = 22;
const pathsOfDataset = 60;

/** A pseudorandom number in 0–1, determined by `name`. */
const draw = (name: string): number => hash32(name) / 2 ** 32;

function aSyntheticField(seq: number, k: number): DiagnosedField {
  const of = (Math.floor(draw(`start ${seq}`) * pathsOfDataset) + k) % pathsOfDataset;
  const type = types[of % types.length]!;
  const luck = draw(`field ${seq} ${k}`) ** (of % 13 === 0 ? 0.5 : 1);
  const category = (
    ["exact", "exact", "exact", "exact", "partial", "incorrect", "missed"] as const
  )[Math.floor(luck * 7)]!;
  const composite = { exact: 1, partial: 0.5 + 0.4 * luck, incorrect: 0.2 * luck, missed: null };
  const matched = category !== "missed";
  const path = `group${of % 7}.field${of}`;
  return {
    path,
    namePath: path,
    depth: of % 3,
    category,
    composite: composite[category],
    identical: category === "exact",
    typeCorrect: matched ? luck < 0.99 : null,
    expectedType: type,
    predictedType: matched ? type : "absent",
    required: of % 2 === 0,
    similarity:
      type === "string" && matched
        ? { tokenF1: Math.round(luck * 20) / 20, levenshtein: luck, containment: of % 2 }
        : null,
    hallucination: category === "incorrect" && luck < 0.8 ? "wrongValue" : null,
    surplusElements: 0,
    pattern:
      category === "exact" ? null : category === "missed" ? "missing_value" : "partial_value",
  };
}

function aSyntheticDetail(seq: number): ExtractionDetail {
  const fields = Array.from({ length: fieldsOfSample }, (_, k) => aSyntheticField(seq, k));
  const tally = emptyTally();
  for (const field of fields) {
    tally[field.category]++;
    if (field.identical) tally.identical++;
    if ((field.composite ?? 0) >= 0.3) tally.lenient++;
    if (field.typeCorrect) tally.typeCorrect++;
  }
  const rates = fieldRates(tally);
  const totalFields = 3 + Math.floor(draw(`schema ${seq}`) * 30);
  return {
    ...tally,
    ...rates,
    exactMatch: rates.strictF1 === 1,
    fields,
    fieldsLeftOut: 0,
    alignment: "exact",
    eqs: 0.3 + 0.5 * rates.partialF1 + 0.2 * rates.typeAccuracy,
    status: "answered",
    parse: "clean",
    truncated: false,
    valid: true,
    validAsIs: true,
    schemaErrors: [],
    inputChars: 3200 + (seq % 500),
    outputChars: 600 + (seq % 90),
    complexity: {
      totalFields,
      requiredFields: totalFields - 2,
      optionalFields: 2,
      maxDepth: totalFields % 4,
      hasArrays: true,
      hasNestedObjects: true,
      typeDiversity: 4,
      enumFields: 1,

      formatFields: 0,
      bin: totalFields > 15 ? "complex" : totalFields < 5 ? "simple" : "medium",
    },
  };
}

/** A scored sample with 22 fields, generated deterministically from its position in the run. */
export function aSyntheticSample(seq: number): ScoredSample<ExtractionDetail> {
  const detail = aSyntheticDetail(seq);
  const call = callOf(emptyAnswer);
  const latencyMs = 200 + 3000 * draw(`latency ${seq}`) ** 4;
  return {
    seq,
    id: `sample-${seq}`,
    tags: { language: ["en", "de", "fr", "ja"][seq % 4]!, source: `source-${seq % 40}` },
    score: { status: "scored", score: detail.eqs, covered: true, detail },
    call: {
      ...call,
      attempts: 1,
      latencyMs,
      firstByteMs: latencyMs / 3,
      inputTokens: 800 + (seq % 500),
      outputTokens: 150 + (seq % 90),
    },
  };
}
