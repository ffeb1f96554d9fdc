import { z } from "zod";

/** Building blocks of judgment schemas. Their `meta` descriptions are part of the judges' prompts. */

/** Longer lists are rejected, because every quotation in a list is searched in the answer. */
export const mostItems = 1_000;

/** Comes first, so that the verdict follows from it; optional in recorded judgments. */
export const reasoning = z
  .string()
  .default("")
  .meta({ description: "What in the answer decides the verdict, in at most five sentences" });

/** Judges are asked for whole levels; levels from people and panels may be fractions. */
export const level = z
  .number()
  .min(1)
  .max(5)
  .meta({ type: "integer", description: "The level: 1, 2, 3, 4 or 5" });

/** A share, 0–1. */
export const share = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: "A number from 0 to 1, by the grades given" });

/** A list of texts; empty if missing. */
export const texts = (description: string) =>
  z.array(z.string()).max(mostItems).default([]).meta({ description });

/** A remark for readers; no figure depends on it. */
export const remark = (description: string) => z.string().default("").meta({ description });

/** One of several words. No figure depends on it, so a recorded judgment may contain other words. */
export const category = (words: readonly string[], description: string) =>
  z
    .string()
    .default("")
    .meta({ enum: [...words], description });
