import type { Json } from "../../../contracts/json.ts";
import type { TextBlock } from "../../../contracts/report.ts";
import { isTooDeep, maxDepth } from "../../json-output/nesting.ts";
import { shownText, type TextShown } from "./shown-text.ts";

/**
 * A JSON value as readers see it: set out over lines, cut as `shownText` does. What is nested too deep for
 * that is named instead. Linear.
 * @example shownJson("Expected", { a: 1 }).text // '{\n  "a": 1\n}'
 */
export function shownJson(
  title: string,
  value: Json,
  more: Omit<TextShown, "isCode"> = {},
): TextBlock {
  const text = isTooDeep(value)
    ? `(nested deeper than ${maxDepth} levels)`
    : JSON.stringify(value, null, 2);
  return shownText(title, text, { ...more, isCode: true });
}
