import { pointerSteps } from "./index/schema-address.ts";

const parts = /^#(.*?) ([$A-Za-z]+(?: or [$A-Za-z]+)*): (.*)$/s;

/**
 * A reason of `invalidReasons` as a sentence for readers, with places as paths between backticks.
 * @example reasonWords("#/summary schema: does not fit") // "`summary` is not allowed by the schema"
 */
export function reasonWords(reason: string): string {
  const [, pointer, keyword, text] = parts.exec(reason) ?? [];
  if (pointer === undefined || keyword === undefined || text === undefined) return reason;
  const place = pathOf(pointerSteps(pointer) ?? [pointer]);
  if (keyword === "required") return `\`${joined(place, missingName(text))}\` is missing`;
  const what = place === "" ? "the output" : `\`${place}\``;
  if (text === "does not fit") {
    if (keyword !== "schema") return `${what} does not fit \`${keyword}\` of the schema`;
    return place === ""
      ? "the output does not fit the schema"
      : `${what} is not allowed by the schema`;
  }
  // Other reasons begin with the value, or with a count.
  return /^(is|has) /.test(text) ? `${what} ${text}` : `${what}: ${text} (\`${keyword}\`)`;
}

const joined = (place: string, name: string): string => (place === "" ? name : `${place}.${name}`);

const missingName = (text: string): string => /^"(.*)" is missing$/s.exec(text)?.[1] ?? text;

/** Steps of a pointer as a path: `items[0].price`. */
const pathOf = (steps: readonly string[]): string =>
  steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : joined(path, step)), "");
