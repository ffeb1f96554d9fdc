/** Filters of the list, with the same names in its address and in the API. */
export const filterNames = [
  "path",
  "verdict",
  "pattern",
  "judge",
  "tag",
  "error",
  "min",
  "max",
  "text",
] as const;
type Filter = (typeof filterNames)[number];

/** Which of a run's samples are shown; stored in the page's address. */
export interface SampleQuery extends Partial<Record<Filter, string>> {
  run: string;
  /** Whether the page's path names the run, so that the query does not. */
  isOwnPage: boolean;
  /** `latest`: newest answer first. Null: not chosen. */
  order: "seq" | "score" | "latest" | null;
  /** `failed`: requests without an answer. */
  only: "all" | "failed" | "unscored";
  cursor: string | null;
  /** One sample instead of the list. */
  sample: string | null;
  repeat: number;
  /** Another run whose answer to the sample is also shown. */
  rival: string | null;
}

const orders = ["seq", "score", "latest"] as const;

/** Reads the page's address; null if it names no run. */
export function readQuery(search: string, path = ""): SampleQuery | null {
  const given = new URLSearchParams(search);
  const own = /^\/runs\/([^/]+)\/samples\//.exec(path)?.[1];
  const run = own === undefined ? given.get("run")?.trim() : decodeURIComponent(own);
  if (!run) return null;
  const only = given.get("only");
  const filters = filterNames.flatMap((name) => {
    const value = given.get(name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(filters),
    run,
    isOwnPage: own !== undefined,
    cursor: given.get("cursor"),
    sample: given.get("sample"),
    order: orders.find((order) => order === given.get("order")) ?? null,
    only: only === "failed" || only === "unscored" ? only : "all",
    repeat: Number(given.get("repeat")) || 0,
    rival: given.get("with"),
  };
}

/** The page's address for a query; defaults are left out. */
export function pageSearch(query: SampleQuery): string {
  const { run, isOwnPage, order, only, cursor, sample, repeat, rival } = query;
  const search = new URLSearchParams(isOwnPage ? {} : { run });
  for (const name of filterNames) if (query[name] !== undefined) search.set(name, query[name]);
  if (order !== null) search.set("order", order);
  if (only !== "all") search.set("only", only);
  if (cursor !== null) search.set("cursor", cursor);
  if (sample !== null) search.set("sample", sample);
  if (repeat > 0) search.set("repeat", String(repeat));
  if (rival !== null) search.set("with", rival);
  return search.size === 0 ? "?" : `?${search}`;
}

/** The same list without any filter. */
export const withoutFilters = (query: SampleQuery): SampleQuery => {
  const bare = { ...query, only: "all" as const, cursor: null };
  for (const name of filterNames) delete bare[name];
  return bare;
};

export const hasFilters = (query: SampleQuery): boolean =>
  query.only !== "all" || filterNames.some((name) => query[name] !== undefined);

const pageSize = "50";

const samplesOf = (run: string): string => `/v1/runs/${encodeURIComponent(run)}/samples`;

function listSearch(query: SampleQuery): URLSearchParams {
  const { order, only } = query;
  const search = new URLSearchParams({ order: order ?? "score" });
  if (only === "failed") search.set("covered", "false");
  if (only === "unscored") search.set("status", "unscored");
  for (const name of filterNames) if (query[name] !== undefined) search.set(name, query[name]);
  return search;
}

/** Path of a page of the list in the API. */
export function listPath(query: SampleQuery, cursor: string | null = query.cursor): string {
  const search = listSearch(query);
  search.set("limit", pageSize);
  search.set("look", "true");
  if (cursor !== null) search.set("cursor", cursor);
  return `${samplesOf(query.run)}?${search}`;
}

/** API path of the next or previous sample in the list. */
export function neighbourPath(
  query: SampleQuery,
  seq: number | string,
  direction: "before" | "after",
): string {
  const search = listSearch(query);
  search.set("limit", "1");
  search.set("cursor", `${seq}`);
  if (direction === "before") search.set("direction", direction);
  return `${samplesOf(query.run)}?${search}`;
}

/** Path of one sample, as shown by its suite, in the API. */
export const samplePath = ({ run, sample, repeat }: SampleQuery): string =>
  `${samplesOf(run)}/${encodeURIComponent(sample ?? "")}/report?repeat=${repeat}`;

/** Path of the row of one sample in another run. */
export const rowPath = (run: string, sample: string): string =>
  `${samplesOf(run)}?${new URLSearchParams({ id: sample, look: "true", limit: "1" })}`;

/** Maximum samples of a run that the API sorts and filters. */
export const mostSorted = 20_000;

/**
 * The query without what the API does not support for a run with this many answers; an unfinished run shows the newest
 * first.
 */
export function supportedQuery(
  query: SampleQuery,
  { total, isUnderWay }: { total: number; isUnderWay: boolean },
): SampleQuery {
  const order = query.order ?? (isUnderWay ? "latest" : "score");
  if (total <= mostSorted) return { ...query, order };
  const { tag: _, error: __, min: ___, max: ____, ...rest } = query;
  return { ...rest, order: "seq", only: "all" };
}

/** Puts the form's values into the page's address, because the content security policy forbids native submission. */
export function listenToFilters(place: ParentNode): void {
  const form = place.querySelector<HTMLFormElement>("[data-filters]");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    const search = new URLSearchParams(given.filter(([, value]) => value !== ""));
    location.assign(search.size === 0 ? location.pathname : `?${search}`);
  });
}
