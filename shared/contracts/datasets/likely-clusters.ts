import { z } from "zod";

/** Samples that probably share sources, although no tag says so. */
export const likelyClustersSchema = z
  .object({
    by: z.string().meta({
      description: "what the samples share, such as `document` or `prompt`, or `tag` and its name",
      example: "document",
    }),
    samples: z.int().describe("number of samples that share a source with another sample"),
    groups: z.int().meta({ description: "number of distinct sources" }),
  })
  .meta({
    id: "LikelyClusters",
    description: "samples that probably share a source; missing: none, or answered with `clusters`",
  });
export type LikelyClusters = z.infer<typeof likelyClustersSchema>;

/** The uploader's answer: which samples share a source. */
export const clustersSchema = z.string().trim().min(1).max(100).meta({
  description:
    "which samples share a source: `independent`: none; `likely`: samples that probably share one get the tag `cluster`; or the name of a tag whose values become the tag `cluster`",
  example: "likely",
});

/**
 * Says how many samples probably share sources.
 * @example likelyClustersText({ by: "document", samples: 120, groups: 40 }, 200)
 */
export const likelyClustersText = ({ by, samples, groups }: LikelyClusters, of: number): string =>
  `${samples.toLocaleString("en")} of ${of.toLocaleString("en")} samples share ${
    by.startsWith("tag ") ? `a value of the tag "${by.slice("tag ".length)}"` : `their ${by}`
  } with another sample (${groups.toLocaleString("en")} different ones)`;
