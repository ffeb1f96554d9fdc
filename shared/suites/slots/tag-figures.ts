import type { TagFigure } from "../../contracts/suite.ts";
import { headlineFigures } from "../../measures/run-sums/tag-figures.ts";
import { breakdownSchema } from "./breakdown.ts";

const partsSchema = breakdownSchema.pick({ topics: true, users: true, sessions: true, tags: true });

/**
 * F1 by topic of the slots, by user, by session and by the sessions' other tags; `n` counts sessions. Topics that the model made up are
 * none of the dataset's and left out. Empty without a breakdown. Linear.
 * Source: docs/spec/slots.md, metrics.
 * @example slotsTagFigures(breakdown)[0]?.tag // "topic"
 */
export function slotsTagFigures(breakdown: unknown): TagFigure[] {
  const read = partsSchema.safeParse(breakdown);
  if (!read.success) return [];
  const { topics, users, sessions, tags } = read.data;
  const expected = topics.filter(({ figures }) => figures["expectedSlots"]?.value !== 0);
  const tagged = (tag: string, parts: typeof users) => parts.map((part) => ({ ...part, tag }));
  const own = [...tagged("topic", expected), ...tagged("user", users)];
  return headlineFigures([...own, ...tagged("session", sessions), ...tags], "f1");
}
