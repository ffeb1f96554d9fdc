import { type Asked, fakeService, type Reply } from "./fake-service.ts";

export const newest = "a".repeat(40);

interface Play {
  rows: readonly object[];
  /** Overrides the first replies, by path without query. */
  first?: Record<string, Reply[]>;
  /** Changes each page of rows. */
  page?: (page: HubPage, offset: number) => object;
  splits?: readonly (readonly [config: string, split: string])[];
  /** Metadata of the dataset card. */
  card?: object;
  /** The commit that the viewer reports for its rows. */
  viewed?: string;
}

interface HubPage {
  rows: { row_idx: number; row: object; truncated_cells: string[] }[];
  num_rows_total: number;
  num_rows_per_page: number;
  partial: boolean;
}

/** Stand-in for Hugging Face: the hub's description of a dataset and the viewer's splits and rows. */
export function fakeHub({
  rows,
  first = {},
  page = (one) => one,
  splits,
  card,
  viewed = newest,
}: Play) {
  const left = structuredClone(first);
  const headers = { "x-revision": viewed };
  return fakeService(({ call }: Asked): Reply => {
    const url = new URL(call.split(" ")[1]!, "http://hub");
    const early = left[url.pathname]?.shift();
    if (early !== undefined) return early;
    if (url.pathname.startsWith("/api/datasets/")) {
      return { body: { id: "x", sha: newest, cardData: card } };
    }
    const dataset = url.searchParams.get("dataset");
    if (url.pathname === "/splits") {
      const list = (splits ?? [["default", "train"]]).map(([config, split]) => ({
        dataset,
        config,
        split,
      }));
      return { headers, body: { splits: list, pending: [], failed: [] } };
    }
    const [offset, length] = [Number(url.searchParams.get("offset")), 100];
    const pageRows = rows.slice(offset, offset + length).map((row, i) => ({
      row_idx: offset + i,
      row,
      truncated_cells: [],
    }));
    const whole = {
      rows: pageRows,
      num_rows_total: rows.length,
      num_rows_per_page: 100,
      partial: false,
    };
    return { headers, body: page(whole, offset) };
  });
}
