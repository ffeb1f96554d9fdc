/** From this share of whole answers that break the schema on, an endpoint is known not to enforce it. */
const IGNORED = 0.02;
/** Modes in which decoding is to follow the schema; in the others it is only asked for. */
const enforcing = new Set(["json_schema_strict", "structured_outputs", "guided_json"]);

/**
 * What a mode enforced, by its answers. Endpoints accept modes that they ignore.
 * @example enforcementOf("json_schema_strict", 60, 9) // "ignored, 9 answers break the schema"
 */
export function enforcementOf(mode: string, answers: number, unfit: number): string {
  if (mode === "none") return "not asked for";
  if (!enforcing.has(mode)) return "asked for";
  if (unfit === 0) return "constrained";
  const broken = `${unfit} answer${unfit === 1 ? " breaks" : "s break"} the schema`;
  return unfit > IGNORED * answers ? `ignored, ${broken}` : `constrained, but ${broken}`;
}
