import { z } from "zod";
import { bounds } from "../bounds.ts";

import { printableText } from "../text/printable-text.ts";
import { hasUserInfo, NO_USER_INFO, webAddress } from "../text/web-address.ts";
import { isPrintable } from "../text/well-formed.ts";
import { likelyClustersSchema } from "./likely-clusters.ts";
import { rowMappingSchema } from "./row-mapping.ts";
import { versionDrawSchema } from "./version-draw.ts";

/** Number of corrected samples listed by id. */
export const MOST_NAMED = 100;

/** What a dataset version corrects in the previous one. */
const correctionSchema = z
  .object({
    version: z.string().meta({ description: "full version that this one corrects" }),
    reason: z.string(),
    samples: z.int().positive().meta({ description: "number of samples whose scoring changed" }),
    ids: z.array(z.string()).meta({
      description: `ids of these samples, the first ${MOST_NAMED}; empty for readers who may not see them`,
    }),
  })
  .meta({ id: "Correction" });
export type Correction = z.infer<typeof correctionSchema>;

/** The version that an upload corrects. */
export const correctsSchema = z
  .string()
  .regex(/^[0-9a-f]{6,64}$/, { error: "must be 6 to 64 hex digits of a version" })
  .meta({ description: "version to correct, the newest, by at least its first 6 digits" });

/** Reason for correcting gold answers. */
export const correctionReasonSchema = printableText(500).meta({
  description: "what was wrong, for readers of the boards",
  example: "two totals were of the wrong page",
});

/** `name` or `owner/name`, optionally `@` and the first characters of a version. */
export const datasetRefSchema = z
  .string()
  .max(bounds.name)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)?(@[0-9a-f]{6,64})?$/, {
    error: "must be name, owner/name, or either with @version",
  })
  .meta({ description: "dataset name, newest version unless @version follows", example: "stock" });

export const datasetNameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)?$/, {
    error: "must be letters, digits and . _ - with at most one slash",
  });

export const visibilitySchema = z.enum(["public", "unlisted", "private"]).meta({
  description:
    "unlisted: reachable by id, never listed or published; private: only for its owner's account and holders of a share link, and to everyone else it does not exist",
});
export type Visibility = z.infer<typeof visibilitySchema>;

export const datasetVisibilitySchema = z.enum(visibilitySchema.options).meta({
  description:
    "unlisted: reachable by the whole version, never listed; private: visible only to the owner, but a public run on the dataset shows its name, version and size, without samples",
});
export type DatasetVisibility = z.infer<typeof datasetVisibilitySchema>;

/** Licence of the rows, as stated by the uploader. */
export const licenseSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine(isPrintable, { error: "must contain visible characters and no control characters" })
  .refine((text) => !hasUserInfo(text), { error: NO_USER_INFO })
  .meta({ description: "license of the rows, as SPDX id if there is one", example: "Apache-2.0" });

/** Origin of the rows: a page about them, at a fixed revision if there is one. */
export const sourceSchema = webAddress("must be an address with https", /^https$/)
  .max(500)
  .meta({
    description: "URL of a page about the data's origin",
    example: "https://example.com/data",
  });

/** A note on a row that was rejected, or accepted with a remark. */
export const rowNoteSchema = z
  .object({ line: z.int().positive(), id: z.string().nullable(), reason: z.string() })
  .meta({ id: "RowNote" });
export type RowNote = z.infer<typeof rowNoteSchema>;

/** One immutable version of a dataset. */
export const datasetSchema = z
  .object({
    suite: z.string(),
    name: z.string(),
    version: z.string().meta({
      description:
        "SHA-256 of the rows as stored (JSON Lines without white space, keys in the order of the upload), in hex",
    }),
    samples: z.int().nonnegative(),
    malformed: z.array(rowNoteSchema).meta({ description: "omitted rows, with the reason" }),
    warnings: z.array(rowNoteSchema).meta({ description: "rows that are used despite a problem" }),
    visibility: datasetVisibilitySchema,
    license: licenseSchema.optional(),
    source: sourceSchema.optional(),
    corrects: correctionSchema.optional(),
    likelyClusters: likelyClustersSchema.optional(),
    mapping: rowMappingSchema.optional(),
    stream: versionDrawSchema.optional(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Dataset" });
export type Dataset = z.infer<typeof datasetSchema>;

/** What an upload would store. */
export const datasetCheckSchema = datasetSchema
  .pick({ suite: true, version: true, samples: true, warnings: true, likelyClusters: true })
  .extend({
    malformed: z.array(rowNoteSchema).meta({ description: "first invalid rows" }),
    malformedCount: z.int().nonnegative().meta({ description: "number of all invalid rows" }),
  })
  .meta({ id: "DatasetCheck" });
export type DatasetCheck = z.infer<typeof datasetCheckSchema>;

/** A version in a list: notes on its rows are only counted; the version itself has their texts. */
export const listedDatasetSchema = datasetSchema
  .omit({ malformed: true, warnings: true, mapping: true })
  .extend({
    malformedCount: z.int().nonnegative().meta({ description: "number of omitted rows" }),
    warningCount: z.int().nonnegative().meta({ description: "number of warnings about used rows" }),
  })
  .meta({ id: "ListedDataset" });
export type ListedDataset = z.infer<typeof listedDatasetSchema>;

/** The effects of a change of a dataset's visibility, made or planned. */
export const datasetVisibilityChangeSchema = z
  .object({
    suite: z.string(),
    name: z.string(),
    versions: z.array(z.string()).meta({ description: "versions that change" }),
    from: z.array(datasetVisibilitySchema).describe("previous visibility of the versions"),
    to: datasetVisibilitySchema,
    shows: z.array(z.string()).meta({ description: "what others can newly see" }),
    hides: z.array(z.string()).meta({ description: "places that no longer show the dataset" }),
  })
  .meta({ id: "DatasetVisibilityChange" });
export type DatasetVisibilityChange = z.infer<typeof datasetVisibilityChangeSchema>;

/** Versions that were deleted. */
export const deletedDatasetSchema = z
  .object({ suite: z.string(), name: z.string(), versions: z.array(z.string()) })
  .meta({ id: "DeletedDataset" });
export type DeletedDataset = z.infer<typeof deletedDatasetSchema>;
