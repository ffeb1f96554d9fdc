/** Which of a run's samples are shown; stored in the page's address. */
export interface SampleQuery {
  run: string;
  order: "seq" | "score";
  /** `failed`: requests without an answer. */
  only: "all" | "failed" | "unscored";
  cursor: string | null;
  /** One sample instead of the list. */
  sample: string | null;
  repeat: number;
}

/** Reads the page's address; null if it names no run. */
export function readQuery(search: string): SampleQuery | null {
  const given = new URLSearchParams(search);
  const run = given.get("run")?.trim();
  if (!run) return null;
  const only = given.get("only");
  return {
    run,
    cursor: given.get("cursor"),
    sample: given.get("sample"),
    order: given.get("order") === "seq" ? "seq" : "score",
    only: only === "failed" || only === "unscored" ? only : "all",
    repeat: Number(given.get("repeat")) || 0,
  };
}

/** The page's address for a query; defaults are left out. */
export function pageSearch({ run, order, only, cursor, sample, repeat }: SampleQuery): string {
  const search = new URLSearchParams({ run });
  if (order === "seq") search.set("order", order);
  if (only !== "all") search.set("only", only);
  if (cursor !== null) search.set("cursor", cursor);
  if (sample !== null) search.set("sample", sample);
  if (repeat > 0) search.set("repeat", String(repeat));
  return `?${search}`;
}

const pageSize = "50";

/** Path of a page of the list in the API. */
export function listPath({ run, order, only, cursor }: SampleQuery): string {
  const search = new URLSearchParams({ limit: pageSize, order });
  if (only === "failed") search.set("covered", "false");
  if (only === "unscored") search.set("status", "unscored");
  if (cursor !== null) search.set("cursor", cursor);
  return `/v1/runs/${encodeURIComponent(run)}/samples?${search}`;
}

/** Path of one sample, as shown by its suite, in the API. */
export const samplePath = ({ run, sample, repeat }: SampleQuery): string =>
  `/v1/runs/${encodeURIComponent(run)}/samples/${encodeURIComponent(sample ?? "")}/report?repeat=${repeat}`;

/** The API neither sorts nor filters more samples than this. */
export const mostSorted = 20_000;

/** The query that the API can answer for a run with this number of answers. */
export const supportedQuery = (query: SampleQuery, answers: number): SampleQuery =>
  answers <= mostSorted ? query : { ...query, order: "seq", only: "all" };
