import type { Json, JsonObject } from "../../../contracts/json.ts";
import type { Result } from "../../../contracts/result.ts";
import type { PreparedSchema } from "../../../measures/json-schema/read-schema.ts";
import { countCodePoints } from "../../../measures/text/code-points.ts";
import type { ExtractionOptions } from "../options.ts";
import { type ExtractionSample, prepareSchema } from "../sample.ts";
import type { MatchRules } from "./composite.ts";
import { diagnose } from "./errors/diagnose.ts";
import { TextEvidence } from "./errors/evidence.ts";
import { type FieldPlace, rootPlace } from "./fields/field-place.ts";
import { type FieldRules, fieldRulesOf, withoutIgnored } from "./fields/field-rules.ts";
import { fieldTree } from "./fields/field-tree.ts";
import { type Expectation, expectation } from "./fields/make-field.ts";
import { type FieldMatches, matchFields } from "./fields/match-fields.ts";
import { type SchemaComplexity, schemaComplexity } from "./schema-complexity.ts";

/** The options on which the expected side depends. */
const decisive = [
  "assertFormats",
  "coerceTypes",
  "fieldCaseSensitive",
  "fieldNormalizeWhitespace",
  "numericTolerance",
  "fieldRules",
  "schemaRules",
] as const;
type DecisiveOptions = Pick<ExtractionOptions, (typeof decisive)[number]>;

/**
 * The parts of a sample's scoring that do not depend on the answer: the expected fields with their places, the text,
 * the schema, and the scores of a perfect answer and of an invalid one. Many models answer the same sample, so it is
 * cached as long as the sample exists.
 */
export class ExpectedSide {
  readonly schema: PreparedSchema;
  readonly complexity: SchemaComplexity;
  readonly root: FieldPlace;
  /** The expected output with its places; null if it has no field. */
  readonly fields: Expectation | null;
  readonly text: TextEvidence;
  /** Unicode code points of the text. */
  readonly inputChars: number;
  readonly rules: MatchRules;
  /** Name paths of fields that are not compared. */
  readonly ignored: ReadonlySet<string>;
  readonly #options: DecisiveOptions;
  readonly #expected: Json;
  #met: FieldMatches | null = null;
  #missed: FieldMatches | null = null;
  #validity: Result<string[], string> | null = null;

  constructor(sample: ExtractionSample, options: DecisiveOptions) {
    this.schema = prepareSchema(sample.schema, options.assertFormats);
    this.complexity = schemaComplexity(this.schema.place);
    this.root = rootPlace(this.schema.place);
    const fields = rulesBy(this.schema, sample.schema, options);
    this.ignored = fields?.ignored ?? nothing;
    const tree = fieldTree(withoutIgnored(sample.expected_output, this.ignored));
    this.fields = tree && expectation(tree, this.root);
    this.rules = {
      fields,
      caseSensitive: options.fieldCaseSensitive,
      normalizeWhitespace: options.fieldNormalizeWhitespace,
      coerceTypes: options.coerceTypes,
      numericTolerance: options.numericTolerance,
    };
    this.text = new TextEvidence(sample.text, this.rules);
    this.inputChars = countCodePoints(sample.text);
    this.#options = options;
    this.#expected = sample.expected_output;
  }

  /** Whether this was computed for the same options. */
  fits(options: DecisiveOptions): boolean {
    return (
      options === this.#options || decisive.every((name) => options[name] === this.#options[name])
    );
  }

  /** The fields of an answer that equals the expected output. */
  met(): FieldMatches {
    this.#met ??= matchFields(this.fields, this.fields, this.root, this.rules);
    return this.#met;
  }

  /** The expected fields of an answer that can't be used. */
  missed(): FieldMatches {
    if (this.#missed === null) {
      this.#missed = matchFields(this.fields, undefined, this.root, this.rules);
      diagnose(this.#missed.errors, this.text, this.rules);
    }
    return this.#missed;
  }

  /** Why the expected output itself is not valid; never the case in a dataset. */
  validity(): Result<string[], string> {
    this.#validity ??= this.schema.validate(this.#expected);
    return this.#validity;
  }
}

const nothing: ReadonlySet<string> = new Set();

const rules = new WeakMap<PreparedSchema, { by: DecisiveOptions; fields: FieldRules | null }>();

/** The field rules, read once for all samples with the same schema. */
function rulesBy(prepared: PreparedSchema, schema: JsonObject | boolean, by: DecisiveOptions) {
  const known = rules.get(prepared);
  if (known?.by === by) return known.fields;
  const fields = fieldRulesOf(by.fieldRules, schema, by.schemaRules);
  rules.set(prepared, { by, fields });
  return fields;
}

const sides = new WeakMap<ExtractionSample, ExpectedSide>();

/**
 * The expected side of a sample, computed once per sample object and options.
 * @example expectedSide(sample, options).fields?.fields // expected fields
 */
export function expectedSide(sample: ExtractionSample, options: DecisiveOptions): ExpectedSide {
  const known = sides.get(sample);
  if (known?.fits(options)) return known;
  const side = new ExpectedSide(sample, options);
  sides.set(sample, side);
  return side;
}
