import { describe, expect, it } from "vitest";
import { KEYS_PATH } from "../../../shared/contracts/boards/result-statement.ts";
import { serve } from "../support/client.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";

const MINUTE = "public, max-age=30, stale-while-revalidate=30, stale-if-error=3600";
const FIVE_MINUTES = "public, max-age=240, stale-while-revalidate=60, stale-if-error=3600";
const OWN = "private, no-cache";
/** The header that Cloudflare sends with the site's files. */
const PAGE = "public, max-age=0, must-revalidate";
const MINUTE_OF_PAGES = MINUTE.replace("public, ", "");

async function withRun() {
  const { platform, deliverAll } = harness();
  const dataset = await relayDataset(platform, 4);
  const listed = await submitRun(platform, dataset);
  const unlisted = await submitRun(platform, dataset, { visibility: "unlisted" });
  await deliverAll();
  const run = await platform.runs.get(listed);
  const api = serve(platform, { key: anAccount("acme", { scopes: ["submit", "admin"] }) });
  const rule = async (path: string, headers: Record<string, string> = {}) => {
    const reply = await api.get(path, headers);
    return `${reply.status} ${reply.headers.get("cache-control")}`;
  };
  const { boardId: board, modelSlug: slug } = run!;
  const query = `suite=relay&dataset=${encodeURIComponent(dataset)}`;
  return { api, rule, listed, unlisted, board, slug, query };
}

type Service = Awaited<ReturnType<typeof withRun>>;

/** Paths whose replies are the same for every reader. */
const shared: [path: (service: Service) => string, rule: string][] = [
  [({ query }) => `/v1/leaderboard?${query}`, MINUTE],
  [({ query }) => `/v1/leaderboard.csv?${query}`, MINUTE],
  [({ board }) => `/v1/boards/${board}`, MINUTE],
  [({ slug }) => `/v1/models/${slug}/history`, MINUTE],
  [() => "/v1/suites", MINUTE],
  [() => "/v1/datasets", MINUTE],
  [() => "/v1/openapi.json", MINUTE],
  [() => KEYS_PATH, MINUTE],
  [({ slug }) => `/badge/${slug}.svg`, FIVE_MINUTES],
  [({ slug }) => `/badge/${slug}.json`, FIVE_MINUTES],
];

/** Paths whose replies depend on the key or change often, or whose address is secret. */
const own: ((service: Service) => string)[] = [
  ({ listed }) => `/v1/runs/${listed}`,
  ...["", "/report", "/samples", "/samples.csv", "/report.md"].map(
    (part) =>
      ({ unlisted }: Service) =>
        `/v1/runs/${unlisted}${part}`,
  ),
  ({ listed, unlisted }) => `/v1/compare?runs=${listed},${unlisted}`,
  () => "/v1/snapshot",
];

describe("cache-control", () => {
  it("lets shared caches keep replies that are the same for every reader", async () => {
    const service = await withRun();
    for (const [path, rule] of shared) {
      expect([path(service), await service.rule(path(service))]).toEqual([
        path(service),
        `200 ${rule}`,
      ]);
    }
  });

  it("lets only the client keep replies to a request with a key", async () => {
    const service = await withRun();
    const headers = { authorization: "Bearer key" };
    for (const path of [...shared.map(([one]) => one), ...own]) {
      expect([path(service), await service.rule(path(service), headers)]).toEqual([
        path(service),
        `200 ${OWN}`,
      ]);
    }
  });

  it("lets only the client keep runs, comparisons and the snapshot", async () => {
    const service = await withRun();
    for (const path of own) {
      expect([path(service), await service.rule(path(service))]).toEqual([
        path(service),
        `200 ${OWN}`,
      ]);
    }
  });

  it("is accompanied by vary: authorization, so that no reader gets the reply to another's key", async () => {
    const { api, query } = await withRun();
    const { headers } = await api.get(`/v1/leaderboard?${query}`);
    expect(headers.get("vary")).toContain("authorization");
  });

  it("is the same on a 304 as on the full reply", async () => {
    const { api, rule, query } = await withRun();
    const path = `/v1/leaderboard?${query}`;
    const etag = (await api.get(path)).headers.get("etag") ?? "";
    expect(await rule(path, { "if-none-match": etag })).toBe(`304 ${MINUTE}`);
  });

  it.each([
    [200, PAGE, MINUTE_OF_PAGES],
    [304, PAGE, MINUTE_OF_PAGES],
    [404, "no-store", null],
    [503, "no-store", null],
  ])(
    "lets Cloudflare keep pages of the site for a minute, except errors: %i",
    async (status, own, cloudflare) => {
      const body = status === 304 ? null : "a page";
      const site = () => new Response(body, { status, headers: { "cache-control": PAGE } });
      const { headers } = await serve(harness().platform, {}, site).get("/models/");
      const rules = ["cache-control", "cloudflare-cdn-cache-control"].map((name) =>
        headers.get(name),
      );
      expect(rules).toEqual([own, cloudflare]);
    },
  );

  it("forbids caching of errors and of replies to writes", async () => {
    const { api, rule } = await withRun();
    for (const path of [
      "/v1/nowhere",
      "/v1/runs/none",
      "/v1/boards/none",
      "/v1/datasets?limit=0",
    ]) {
      expect(await rule(path)).toMatch(/^4\d\d no-store$/);
    }
    const written = await api.post("/v1/submissions", {});
    expect([written.status, written.headers.get("cache-control")]).toEqual([422, "no-store"]);
    expect((await api.get("/healthz")).headers.get("cache-control")).toBe("no-store");
  });
});
