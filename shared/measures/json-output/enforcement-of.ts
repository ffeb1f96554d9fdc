/** From this share of whole answers that break the schema on, an endpoint is known not to enforce it. */
const IGNORED = 0.02;
/** Modes in which decoding is to follow the schema; in the others it is only asked for. */
const enforcing = new Set(["json_schema_strict", "structured_outputs", "guided_json"]);

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
  if (!enforcing.has(mode)) return "asked for";
  const broken = `${unfit === 0 ? "no" : unfit} answer${unfit > 1 ? "s break" : " breaks"} the schema`;
  if (unfit > IGNORED * answers) return `ignored: ${broken}`;
  return `${isEnforcing ? "constrained, as the provider documents" : "asked for"}: ${broken}`;
}
