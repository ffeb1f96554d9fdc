import { readFileSync } from "node:fs";
import type { Json } from "../../../shared/contracts/json.ts";

/** A suite's methodology text and the parsed JSON of its examples, in order. */
export function methodologyText(suite: string): { text: string; examples: Json[] } {
  const file = new URL(`../../../shared/suites/${suite}/methodology.md`, import.meta.url);
  const text = readFileSync(file, "utf8");
  const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]) =>
    JSON.parse(json),
  );
  // Columns of tables are padded with spaces.
  return { text: text.replace(/ {2,}/g, " "), examples };
}

/** A number in the format of the texts. */
export const shown = (value: number, digits = 3): string => String(Number(value.toFixed(digits)));
