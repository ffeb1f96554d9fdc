import type { Suite } from "../contracts/suite.ts";
import { extraction } from "./extraction/suite.ts";
import { memory } from "./memory/suite.ts";
import { pairs } from "./pairs/suite.ts";
import { quality } from "./quality/suite.ts";
import { rubric } from "./rubric/suite.ts";
import { slots } from "./slots/suite.ts";
import { tools } from "./tools/suite.ts";

/** Every suite of the service, in display order. */
export const suites: readonly Suite[] = [extraction, slots, tools, quality, memory, rubric, pairs];

/**
 * The suite with `id`; undefined if there is none.
 * @example suiteById("extraction")?.headline // "eqs"
 */
export function suiteById(id: string): Suite | undefined {
  return suites.find((suite) => suite.id === id);
}
