/** From this share of whole answers that break the schema on, an endpoint is known not to enforce it. */
const IGNORED = 0.02;
/** Modes that give the schema; JSON alone, or a prompt, is only asked for. */
const withSchema = new Set([
  "json_schema_strict",
  "json_schema",
  "structured_outputs",
  "guided_json",
]);

/**
 * What is known of a structured-output mode: constrained where the provider documents that decoding follows the schema
 * (`isEnforcing`) and the answers agree. Endpoints accept modes that they ignore, and a model that follows the prompt
 * then looks as if it were constrained: of other hosts only an answer to a schema that contradicts the prompt shows it,
 * as in `assay test-connection`.
 * `unfit`: whole answers that are not JSON alone or do not fit the schema.
 * @example enforcementOf("json_schema_strict", 60, 9, false) // "ignored: 9 answers break the schema"
 */
export function enforcementOf(
  mode: string,
  answers: number,
  unfit: number,
  isEnforcing: boolean,
): string {
  if (mode === "none") return "not asked for";
  if (!withSchema.has(mode)) return "asked for";
  const broken = `${unfit === 0 ? "no" : unfit} answer${unfit > 1 ? "s break" : " breaks"} the schema`;
  if (unfit > IGNORED * answers) return `ignored: ${broken}`;
  const isConstrained = isEnforcing && unfit === 0;
  return `${isConstrained ? "constrained, as the provider documents" : "asked for"}: ${broken}`;
}
