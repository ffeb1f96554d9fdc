import { z } from "zod";

const count = z.int().nonnegative();

/** The first fields of the breakdown of every suite with run sums: the basis of its figures. */
export const basisShape = {
  samples: count,
  answers: count,
  unscored: count.meta({ description: "number of answers without a score" }),
  units: z
    .object({ kind: z.enum(["samples", "clusters", "blocks"]), count })
    .meta({ description: "units of resampling: sources, if samples share them" }),
};

/** A part of a run, such as the answers of one topic. */
export const partSchema = z.object({
  name: z.string(),
  n: count.meta({ description: "number of answers in this group" }),
  figures: z.record(
    z.string(),
    z.object({ value: z.number(), interval: z.tuple([z.number(), z.number()]).nullable() }),
  ),
});

/** The parts of a run by the values of its samples' tags. */
export const tagsSchema = z.array(partSchema.extend({ tag: z.string() }));

/** Families of parts with too many names. */
export const crowdedSchema = z
  .array(z.object({ family: z.string().nullable(), moreThan: count, answers: count }))
  .meta({ description: "groups with too many names to count separately" });
