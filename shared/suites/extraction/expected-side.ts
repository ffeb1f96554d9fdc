import type { Json } from "../../contracts/json.ts";
import { deepEquals } from "../../measures/deep-equals.ts";
import type { MatchRules } from "./composite.ts";
import { TextEvidence } from "./evidence.ts";
import { type Expectation, expectation } from "./expectation.ts";
import { type FieldPlace, rootPlace } from "./field-place.ts";
import { fieldTree } from "./flatten.ts";
import { type FieldMatches, matchFields } from "./match-fields.ts";
import type { PreparedSchema } from "./prepare-schema.ts";
import type { ExtractionSample } from "./sample.ts";
import { schemaPlace } from "./schema-place.ts";

/**
 * What scoring needs of a sample whatever is answered: its expected fields with their places, its
 * text, and the outcome of an answer that is the expected output itself. Many models answer the same
 * sample, so it is kept as long as the sample.
 */
export class ExpectedSide {
  readonly root: FieldPlace;
  readonly fields: Expectation | null;
  readonly text: TextEvidence;
  readonly schema: PreparedSchema;
  readonly rules: MatchRules;
  readonly #expected: Json;
  #met: FieldMatches | null = null;
  #errors: string[] | null = null;

  constructor(sample: ExtractionSample, schema: PreparedSchema, rules: MatchRules) {
    this.schema = schema;
    this.rules = rules;
    this.#expected = sample.expected_output;
    this.root = rootPlace(schema.types, schemaPlace(sample.schema));
    this.fields = expectation(fieldTree(sample.expected_output), this.root);
    this.text = new TextEvidence(sample.text, rules);
  }

  /** Whether this was worked out for the same schema and rules. */
  fits(schema: PreparedSchema, rules: MatchRules): boolean {
    return (
      this.schema === schema &&
      this.rules.caseSensitive === rules.caseSensitive &&
      this.rules.normalizeWhitespace === rules.normalizeWhitespace &&
      this.rules.coerceTypes === rules.coerceTypes &&
      this.rules.numericTolerance === rules.numericTolerance
    );
  }

  /** Whether `value` is the expected output itself, nulls and all. */
  isMetBy(value: Json): boolean {
    return deepEquals(this.#expected, value);
  }

  /** The fields of an answer that is the expected output itself. */
  met(): FieldMatches {
    if (this.#met === null) {
      const value = fieldTree(this.#expected);
      this.#met = matchFields(this.fields, value, this.root, this.rules);
    }
    return this.#met;
  }

  /** Why the expected output itself is not valid; a dataset has none that isn't. */
  errors(): string[] {
    this.#errors ??= this.schema.errors(this.#expected);
    return this.#errors;
  }
}

const sides = new WeakMap<ExtractionSample, ExpectedSide>();

/**
 * The expected side of a sample, worked out once per sample object while schema and rules stay.
 * @example expectedSide(sample, prepareSchema(sample.schema, false), rules).isMetBy(value)
 */
export function expectedSide(
  sample: ExtractionSample,
  schema: PreparedSchema,
  rules: MatchRules,
): ExpectedSide {
  const known = sides.get(sample);
  if (known?.fits(schema, rules)) return known;
  const side = new ExpectedSide(sample, schema, rules);
  sides.set(sample, side);
  return side;
}
