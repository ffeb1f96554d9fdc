import { z } from "zod";
import type { TagFigure } from "../../contracts/suite.ts";
import { tagsSchema } from "./breakdown.ts";

const taggedSchema = z.object({ tags: tagsSchema });

/**
 * The headline by tag, from a breakdown with `tags`; omits values over which it was not measured. Empty if the
 * breakdown is null or has no such table. Linear.
 * Source: docs/spec/statistics.md, bootstrap interval.
 * @example tagFigures(breakdown, "overall")[0]?.headline.value // 0–1
 */
export function tagFigures(breakdown: unknown, headline: string): TagFigure[] {
  const read = taggedSchema.safeParse(breakdown);
  return read.success ? headlineFigures(read.data.tags, headline) : [];
}

/** A part of a run with its figures by metric id. */
type TaggedPart = z.infer<typeof tagsSchema>[number];

/**
 * The headline of parts of a run; omits those over which it was not measured. Linear.
 * @example headlineFigures([{ tag: "topic", name: "hobby", n: 3, figures: {} }], "f1") // []
 */
export function headlineFigures(parts: readonly TaggedPart[], headline: string): TagFigure[] {
  return parts.flatMap(({ tag, name, n, figures }) => {
    const figure = figures[headline];
    return figure === undefined ? [] : [{ tag, name, n, headline: figure }];
  });
}
