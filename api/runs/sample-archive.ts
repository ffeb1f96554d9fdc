import { lruCache } from "../platform/lru-cache.ts";
import type { ObjectStore } from "../platform/object-store.ts";
import { archiveKey, type SummedRun } from "./run-objects.ts";
import type { SampleArchive, SampleRecord } from "./schema.ts";

/** Rows per page of an archive: a list reads and unpacks one page in milliseconds. */
const PAGE = 1_000;
/** Pages per read for scans of a whole run: a few megabytes of rows in memory. */
const PAGES_AT_ONCE = 5;
/** Cached pages: lanes that rescore units in flight read neighbouring rows. */
const KEPT = 4;

/**
 * Packs the rows of a run into one object. Each page is the gzipped JSON of a thousand rows, and can be read by its
 * byte range. Rows must come in order and without duplicates.
 */
export async function packSamples(
  rows: AsyncIterable<readonly SampleRecord[]>,
): Promise<{ archive: SampleArchive; bytes: Uint8Array }> {
  const pages: Uint8Array<ArrayBuffer>[] = [];
  let page: SampleRecord[] = [];
  let count = 0;
  const close = async () => {
    pages.push(await packed(page));
    page = [];
  };
  for await (const some of rows) {
    for (const row of some) {
      while (Math.floor(row.seq / PAGE) > pages.length) await close();
      page.push(row);
      count++;
    }
  }
  if (page.length > 0) await close();
  const bytes = new Uint8Array(await new Blob(pages).arrayBuffer());
  return { archive: { rows: count, pages: pages.map(({ length }) => length) }, bytes };
}

async function packed(rows: readonly SampleRecord[]): Promise<Uint8Array<ArrayBuffer>> {
  const text = new Blob([JSON.stringify(rows)]).stream();
  return new Uint8Array(
    await new Response(text.pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  );
}

const unpacked = async (page: ArrayBuffer): Promise<SampleRecord[]> =>
  new Response(new Blob([page]).stream().pipeThrough(new DecompressionStream("gzip"))).json();

export type ArchivedSamples = ReturnType<ReturnType<typeof sampleArchives>>;

/** Reads rows from R2. Throws if the object was deleted. */
export function sampleArchives(objects: Pick<ObjectStore, "getBytes">) {
  const kept = lruCache<SampleRecord[]>(KEPT);
  return (run: SummedRun, { pages }: SampleArchive) => {
    const key = archiveKey(run);
    /** Pages `from` (included) to `to` (excluded), in one read. */
    const read = async (from: number, to: number): Promise<SampleRecord[]> => {
      const known = kept.get(`${key} ${from}`);
      if (to - from === 1 && known) return known;
      const sum = (ofPages: number[]) => ofPages.reduce((bytes, page) => bytes + page, 0);
      const begin = sum(pages.slice(0, from));
      const bytes = await objects.getBytes(key, begin, sum(pages.slice(from, to)));
      if (bytes === null) throw new Error(`missing object ${key}`);
      const rows: SampleRecord[] = [];
      let at = 0;
      for (const length of pages.slice(from, to)) {
        rows.push(...(await unpacked(bytes.slice(at, at + length))));
        at += length;
      }
      if (to - from === 1) kept.set(`${key} ${from}`, rows);
      return rows;
    };
    const pageOf = (seq: number) => Math.floor(seq / PAGE);
    /** Rows from a position on, several pages per read. */
    async function* from(seq: number, atOnce = PAGES_AT_ONCE): AsyncGenerator<SampleRecord[]> {
      for (let page = pageOf(seq); page < pages.length; page += atOnce) {
        const rows = await read(page, Math.min(pages.length, page + atOnce));
        yield rows.filter((row) => row.seq >= seq);
      }
    }
    return {
      from,
      /** The first matching rows after a position, in order. */
      async after(
        seq: number,
        limit: number,
        fits: (row: SampleRecord) => boolean = () => true,
      ): Promise<SampleRecord[]> {
        const found: SampleRecord[] = [];
        for await (const rows of from(seq + 1, Math.min(PAGES_AT_ONCE, pageOf(limit - 1) + 1))) {
          found.push(...rows.filter(fits).slice(0, limit - found.length));
          if (found.length === limit) break;
        }
        return found;
      },
      /** Rows at some positions, ascending. */
      async at(seqs: readonly number[]): Promise<SampleRecord[]> {
        const wanted = new Set(seqs);
        const numbers = [...new Set(seqs.map(pageOf))].filter((page) => page < pages.length);
        const found: SampleRecord[] = [];
        for (const page of numbers.sort((a, b) => a - b)) {
          found.push(...(await read(page, page + 1)).filter((row) => wanted.has(row.seq)));
        }
        return found;
      },
    };
  };
}
