/**
 * The options in which a judging differs from others, as text; without any, "as before".
 * @example judgingName({ judge: "openai:gpt-5", judgeSeed: null }) // "judge openai:gpt-5"
 */
export function judgingName(options: Readonly<Record<string, unknown>>): string {
  const names = Object.entries(options).flatMap(([name, value]) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    return [`${name} ${typeof value === "string" ? value : JSON.stringify(value)}`];
  });
  return names.join(", ") || "as before";
}
