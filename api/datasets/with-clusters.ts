import type { JsonObject } from "#shared/contracts/json.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { sourceOf } from "#shared/measures/likely-clusters.ts";
import { lineText, type ReadRows, readRows, type TextLine } from "./read-rows.ts";

/** Value of `clusters` for samples without shared sources; others name a tag. */
export const INDEPENDENT = "independent";
const LIKELY = "likely";

/**
 * The rows with the tag `cluster` as the uploader asks: by the tag that `clusters` names, by the detected sources
 * (`likely`), or without a tag (`independent`); undefined: unchanged, and the question stays open. The error says why
 * that is impossible.
 */
export function withClusters(
  suite: Suite,
  read: ReadRows,
  clusters: string | undefined,
): Result<ReadRows, string> {
  if (clusters === undefined) return ok(read);
  if (clusters === INDEPENDENT) return ok({ ...read, likely: null });
  if (read.heads.some(({ tags }) => tags["cluster"] !== undefined)) {
    return err("samples have the tag cluster already; leave clusters out");
  }
  const by = clusters === LIKELY ? read.likely?.by : `tag ${clusters}`;
  if (by === undefined) return ok(read);
  const tags = new Set(read.heads.flatMap((head) => Object.keys(head.tags)));
  if (clusters !== LIKELY && !tags.has(clusters)) {
    const known =
      tags.size === 0 ? "samples have no tags" : `tags are ${[...tags].slice(0, 20).join(", ")}`;
    return err(`no sample has a tag "${clusters}": ${known}; or give independent or likely`);
  }
  const again = readRows(suite, taggedLines(suite, read.lines, by));
  const [misfit] = again.malformed;
  if (misfit !== undefined) {
    return err(`with the tag cluster, sample "${misfit.id ?? ""}" is invalid: ${misfit.reason}`);
  }
  if (new Set(again.heads.map(({ tags }) => tags["cluster"])).size < 2) {
    return err(`all samples have the same value of ${by}, so nothing could be resampled`);
  }
  const { malformed, malformedCount, warnings } = read;
  return ok({ ...again, likely: null, malformed, malformedCount, warnings });
}

/** The rows one by one, each with its source as the tag `cluster`. */
function* taggedLines(suite: Suite, lines: readonly Uint8Array[], by: string): Generator<TextLine> {
  const encoder = new TextEncoder();
  for (const [i, bytes] of lines.entries()) {
    const row = JSON.parse(lineText(bytes)) as JsonObject & { tags?: JsonObject };
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(checked.error);
    const { sample } = checked.value;
    const cluster = sourceOf(suite, by, { sample, tags: suite.sampleHead(sample).tags });
    const tags = { ...row.tags, ...(cluster !== null && { cluster }) };
    yield { number: i + 1, bytes: encoder.encode(JSON.stringify({ ...row, tags })) };
  }
}
