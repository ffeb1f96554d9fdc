/** If at least this share of complete answers break the schema, the endpoint does not enforce it. */
const IGNORED = 0.02;
/** Modes that send the schema in the request's parameters. */
const withSchema = new Set([
  "json_schema_strict",
  "json_schema",
  "structured_outputs",
  "guided_json",
]);

/**
 * Whether an endpoint enforces a structured-output mode: `constrained` if the provider documents that decoding follows
 * the schema (`isEnforcing`) and the answers agree. Endpoints may accept modes that they ignore, and a model that
 * follows the prompt then looks constrained; for other hosts, only a schema that contradicts the prompt shows
 * enforcement, as in `assay test-connection`. `unfit`: complete answers that are not pure JSON or do not fit the
 * schema.
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
