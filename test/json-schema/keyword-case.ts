import type { Json, JsonObject } from "../../shared/contracts/json.ts";

/** A schema with valid and invalid values. */
export interface KeywordCase {
  schema: JsonObject | boolean;
  valid?: Json[];
  invalid?: Json[];
  /** Schemas to which it may refer, by address. */
  known?: Record<string, JsonObject | boolean>;
}

/** Cases by topic: a keyword or a group of keywords. */
export type KeywordCases = Record<string, KeywordCase[]>;

/** The addresses of the drafts that samples may name. */
export const draftAddresses = {
  "draft-07": "http://json-schema.org/draft-07/schema#",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
} as const;

/** Adds the draft's address to `schema` as `$schema`. */
export function dated(schema: JsonObject | boolean, address: string): JsonObject | boolean {
  return typeof schema === "boolean" ? schema : { $schema: address, ...schema };
}
