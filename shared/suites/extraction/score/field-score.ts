import type { Weights } from "../options.ts";
import { emptyTally, type FieldRates, fieldCounts, fieldRates, type Tally } from "../sum/tally.ts";
import type { DiagnosedField } from "./fields/diagnosed-field.ts";
import type { AlignmentKind, FieldMatches } from "./fields/match-fields.ts";

/** What the fields of one output earned. */
export interface FieldScore extends Tally, Omit<FieldRates, "hallucinationRate"> {
  /** Null for an invalid output, of which no field is used. */
  hallucinationRate: number | null;
  exactMatch: boolean;
  eqs: number;
  /** Whether arrays of objects were aligned as well as can be, or some were too long for that. */
  alignment: AlignmentKind;
  /** The first 50,000 fields; `fieldsLeftOut` more were counted. */
  fields: DiagnosedField[];
  fieldsLeftOut: number;
}

/**
 * What the fields of an output earn if it is valid: EQS = validity + partial F1 + type accuracy +
 * (1 − hallucination rate), weighted, 0–1.
 * Source: docs/spec/extraction.md, section 5.
 * @example fieldScore(matches, true, options.weights).eqs // 1 where all fields are exact
 */
export function fieldScore(
  matches: FieldMatches,
  exactMatch: boolean,
  weights: Weights,
): FieldScore {
  const rates = fieldRates(matches.tally);
  const eqs =
    weights.validity +
    weights.partialF1 * rates.partialF1 +
    weights.typeAccuracy * rates.typeAccuracy +
    weights.noHallucination * (1 - rates.hallucinationRate);
  return { ...matches.tally, ...rates, exactMatch, eqs, ...listed(matches) };
}

/** No field predicted and one missed: what an invalid output comes to, whatever was expected. */
const nothing: FieldRates = fieldRates({ ...emptyTally(), missed: 1 });

/**
 * What an invalid output earns: nothing of it counts, so that a model can't gain by breaking the schema.
 * `matches` are the expected fields, all missed.
 * Source: docs/spec/extraction.md, section 5.
 * @example missedScore(side.missed()).eqs // 0
 */
export function missedScore(matches: FieldMatches): FieldScore {
  return {
    ...matches.tally,
    ...nothing,
    omissionRate: matches.tally.missed === 0 ? 0 : 1,
    hallucinationRate: null,
    exactMatch: false,
    eqs: 0,
    ...listed(matches),
  };
}

/** The list is the answer's own; the fields in it may be shared. */
function listed({
  tally,
  fields,
  alignment,
}: FieldMatches): Pick<FieldScore, "alignment" | "fields" | "fieldsLeftOut"> {
  const total = fieldCounts(tally).expected + tally.spurious;
  return { alignment, fields: [...fields], fieldsLeftOut: total - fields.length };
}
