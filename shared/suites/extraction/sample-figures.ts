import { prepareSchema } from "./prepare-schema.ts";
import type { ExtractionSample } from "./sample.ts";
import { schemaComplexity } from "./schema-complexity.ts";

/**
 * How complex the schema of a sample is: its leaf properties, how many of them are required, the largest depth
 * of one, and the bin; all counts from 0. A schema that names nothing has 0 of each and is simple.
 * Source: docs/spec/extraction.md, section 7.
 * @example sampleFigures(sample) // { schemaFields: 4, requiredFields: 2, schemaDepth: 0, complexity: "simple" }
 */
export function sampleFigures({ schema }: ExtractionSample): Record<string, number | string> {
  const { place } = prepareSchema(schema, false);
  const { totalFields, requiredFields, maxDepth, bin } = schemaComplexity(place);
  return { schemaFields: totalFields, requiredFields, schemaDepth: maxDepth, complexity: bin };
}
