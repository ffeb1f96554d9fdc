import { z } from "zod";
import type { TagFigure } from "../../contracts/suite.ts";
import { headlineFigures } from "../../measures/run-sums/tag-figures.ts";
import { tagsSchema } from "./breakdown-parts.ts";

const taggedSchema = z.object({ tags: tagsSchema });

/**
 * EQS by tag: values with ten samples or more, as the breakdown has them; empty without a breakdown.
 * Linear.
 * Source: docs/spec/extraction.md, section 6.
 * @example extractionTagFigures(breakdown)[0]?.tag // "domain"
 */
export function extractionTagFigures(breakdown: unknown): TagFigure[] {
  const read = taggedSchema.safeParse(breakdown);
  if (!read.success) return [];
  const parts = read.data.tags.groups.map(({ key, ...group }) => ({ ...group, tag: key }));
  return headlineFigures(parts, "eqs");
}
