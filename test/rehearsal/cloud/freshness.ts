/** Maximum ages at which a stored response is served, in seconds. */
export interface Lifetime {
  fresh: number;
  /** While a new response is fetched. */
  whileRevalidating: number;
  /** While the Worker fails. */
  onError: number;
}

type Directives = ReadonlyMap<string, string>;

/** Most specific first. */
const CONTROLS = ["cloudflare-cdn-cache-control", "cdn-cache-control", "cache-control"];

/** Default freshness by status, in seconds. Responses with other statuses and no lifetime are not stored. */
const HEURISTIC: Readonly<Record<number, number>> = {
  200: 7_200,
  203: 7_200,
  204: 7_200,
  300: 1_200,
  301: 1_200,
  404: 180,
  405: 60,
  410: 180,
  414: 60,
  501: 60,
};

/** Partial content, Not Modified and Cloudflare's own errors. */
const neverStored = (status: number) =>
  [206, 304].includes(status) || (status >= 520 && status <= 526);

/** Each of these forbids stale responses. */
const STRICT = ["s-maxage", "must-revalidate", "proxy-revalidate"];
/** Each of these allows storing the response to a request with Authorization. */
const OPEN = ["public", "s-maxage", "must-revalidate"];

/**
 * How long Workers Cache keeps a response; null: not stored. `isAuthorized`: the request had Authorization. Ignores
 * Expires, which no response here has. Source: developers.cloudflare.com/workers/cache/configuration and …/debugging
 * (read 2026-11-27).
 */
export function lifetimeOf({ status, headers }: Response, isAuthorized: boolean): Lifetime | null {
  const control = CONTROLS.map((name) => headers.get(name)).find((value) => value !== null);
  const directives = directivesIn(control ?? "");
  const says = (name: string) => directives.has(name);
  if (neverStored(status) || headers.has("set-cookie") || headers.get("vary")?.includes("*"))
    return null;
  if (says("private") || says("no-store") || (isAuthorized && !OPEN.some(says))) return null;
  const fresh = freshSeconds(status, directives);
  if (fresh === undefined) return null;
  const longer = (name: string, otherwise: number) =>
    STRICT.some(says) ? fresh : fresh + Number(directives.get(name) ?? otherwise);
  return {
    fresh,
    whileRevalidating: longer("stale-while-revalidate", 0),
    onError: longer("stale-if-error", Number.POSITIVE_INFINITY),
  };
}

function freshSeconds(status: number, directives: Directives): number | undefined {
  if (directives.has("no-cache")) return 0;
  const stated = directives.get("s-maxage") ?? directives.get("max-age");
  return stated === undefined ? HEURISTIC[status] : Number(stated);
}

function directivesIn(control: string): Directives {
  const parts = control.split(",").map((part) => part.trim().toLowerCase().split("="));
  return new Map(parts.map(([name = "", value = ""]) => [name, value]));
}
