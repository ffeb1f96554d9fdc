import { describe, expect, it, vi } from "vitest";
import { serve } from "../support/client.ts";
import { harness, relayDataset, submitRun } from "../support/harness.ts";

const KEPT_MS = 1_000;
const HOUR_MS = 3_600_000;
/** Age at which a reply is renewed for the next reader. */
const RENEWED_MS = 800;

/** A service with one board and a reply cache: its clock, stores and the paths to read. */
async function withBoard() {
  const { platform, deliverAll } = harness();
  const dataset = await relayDataset(platform, 4);
  const run = await submitRun(platform, dataset);
  await deliverAll();
  const slug = (await platform.runs.get(run))?.modelSlug ?? "";
  const clock = { now: Date.now() };
  const boards = {
    ...platform.boards,
    find: vi.fn(platform.boards.find),
    ofModel: vi.fn(platform.boards.ofModel),
  };
  const settings = { ...platform.settings, publicReadsKeptMs: KEPT_MS };
  const api = serve({ ...platform, boards, settings, now: () => clock.now });
  return {
    api,
    clock,
    boards,
    dataset,
    deliverAll,
    platform,
    badge: `/badge/${slug}.svg`,
    leaderboard: `/v1/leaderboard?suite=relay&dataset=${dataset}`,
  };
}

describe("public replies", () => {
  it.each(["badge", "leaderboard"] as const)("come from memory until renewed: %s", async (what) => {
    const service = await withBoard();
    const { api, boards, clock } = service;
    const asked = () => boards.find.mock.calls.length + boards.ofModel.mock.calls.length;
    const first = await api.get(service[what]);
    const text = await first.text();
    clock.now += RENEWED_MS - 1;
    const again = await api.get(service[what]);
    expect(asked()).toBe(1);
    expect(again.status).toBe(200);
    expect(await again.text()).toBe(text);
    const headers = (response: Response) =>
      [...response.headers].filter(([name]) => name !== "x-request-id").sort();
    expect(headers(again)).toEqual(headers(first));
    clock.now += 1;
    await api.get(service[what]);
    expect(asked()).toBe(2);
  });

  it("are renewed for one reader, while others get the copy in memory until it expires", async () => {
    const { api, boards, clock, leaderboard } = await withBoard();
    const text = await (await api.get(leaderboard)).text();
    let answer = () => {};
    const found = new Promise<null>((resolve) => {
      answer = () => resolve(null);
    });
    boards.find.mockReturnValueOnce(found);
    clock.now += RENEWED_MS;
    const renewing = api.get(leaderboard);
    await vi.waitFor(() => expect(boards.find).toHaveBeenCalledTimes(2));
    clock.now += KEPT_MS - RENEWED_MS - 1;
    expect(await (await api.get(leaderboard)).text()).toBe(text);
    expect(boards.find).toHaveBeenCalledTimes(2);
    clock.now += 1;
    await api.get(leaderboard);
    expect(boards.find).toHaveBeenCalledTimes(3);
    answer();
    expect((await renewing).status).toBe(404);
  });

  it("stay available in an outage of up to an hour", async () => {
    const { api, badge, boards, clock } = await withBoard();
    const text = await (await api.get(badge)).text();
    vi.spyOn(console, "error").mockImplementation(() => {});
    boards.ofModel.mockRejectedValue(new Error("the database is away"));
    clock.now += RENEWED_MS;
    const first = await api.get(badge);
    expect(await first.text()).toBe(text);
    // Other caches get the remainder of that hour, not a full one.
    expect(first.headers.get("cache-control")).toBe("public, max-age=30, stale-if-error=3600");
    expect(boards.ofModel.mock.calls.length).toBeGreaterThan(1);
    clock.now += KEPT_MS - RENEWED_MS + HOUR_MS - 1;
    const last = await api.get(badge);
    expect(await last.text()).toBe(text);
    expect(last.headers.get("cache-control")).toBe("public, max-age=30, stale-if-error=0");
    clock.now += 1;
    expect(await (await api.get(badge)).text()).toContain("unavailable");
    vi.restoreAllMocks();
  });

  it.each(["svg", "json"])(
    "are 503 in an outage for a client with an older badge, which then keeps it: %s",
    async (ending) => {
      const { api, badge, boards } = await withBoard();
      vi.spyOn(console, "error").mockImplementation(() => {});
      boards.ofModel.mockRejectedValue(new Error("the database is away"));
      const path = badge.replace("svg", ending);
      for (const [headers, status] of [
        [{}, 200],
        [{ "if-none-match": '"older"' }, 503],
      ] as const) {
        const reply = await api.get(path, headers);
        expect([reply.status, reply.headers.get("cache-control")]).toEqual([status, "no-store"]);
        expect(await reply.text()).toContain("unavailable");
      }
      vi.restoreAllMocks();
    },
  );

  it("are not replaced by older ones that arrive late", async () => {
    const { api, boards, clock, leaderboard } = await withBoard();
    const text = await (await api.get(leaderboard)).text();
    const board = await boards.find.mock.results[0]!.value;
    let answer = () => {};
    const late = new Promise<typeof board>((resolve) => {
      answer = () => resolve({ ...board!, entries: [] });
    });
    boards.find.mockReturnValueOnce(late);
    clock.now += KEPT_MS;
    const slow = api.get(leaderboard);
    await vi.waitFor(() => expect(boards.find).toHaveBeenCalledTimes(2));
    clock.now += 1;
    await api.get(leaderboard);
    answer();
    expect(await (await slow).text()).not.toBe(text);
    expect(await (await api.get(leaderboard)).text()).toBe(text);
    expect(boards.find).toHaveBeenCalledTimes(3);
  });

  it("show a change once they have expired", async () => {
    const { api, clock, dataset, deliverAll, platform, leaderboard } = await withBoard();
    const entries = async () => {
      const { entries: listed } = (await (await api.get(leaderboard)).json()) as {
        entries: unknown[];
      };
      return listed.length;
    };
    expect(await entries()).toBe(1);
    await submitRun(platform, dataset, { models: [{ ...other }] });
    await deliverAll();
    clock.now += KEPT_MS;
    expect(await entries()).toBe(2);
  });

  it("are answered with 304 if the client has them", async () => {
    const { api, badge } = await withBoard();
    const etag = (await api.get(badge)).headers.get("etag") ?? "";
    const again = await api.get(badge, { "if-none-match": etag });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    expect(again.headers.get("cache-control")).toContain("public, max-age=240");
  });

  it("are cached per path and query", async () => {
    const { api, badge } = await withBoard();
    await api.get(badge);
    expect(await (await api.get(`${badge}?label=mine`)).text()).toContain("mine");
  });

  it("are not cached if they are errors or 404", async () => {
    const { api, boards, badge, dataset } = await withBoard();
    boards.ofModel.mockRejectedValueOnce(new Error("the database is away"));
    vi.spyOn(console, "error").mockImplementationOnce(() => {});
    expect(await (await api.get(badge)).text()).toContain("unavailable");
    expect(await (await api.get(badge)).text()).toContain("#1/1");
    const none = `/v1/leaderboard?suite=relay&dataset=${dataset}-none`;
    expect((await api.get(none)).status).toBe(404);
    expect((await api.get(none)).status).toBe(404);
    expect(boards.find).toHaveBeenCalledTimes(2);
  });

  it.each(["badge", "leaderboard"] as const)("are refused for other methods: %s", async (what) => {
    const service = await withBoard();
    await service.api.get(service[what]);
    expect((await service.api.post(service[what], {})).status).toBe(405);
    expect((await service.api.delete(service[what])).status).toBe(405);
  });

  it("are evicted, oldest first, when the cache is full", async () => {
    const { api, badge, boards } = await withBoard();
    for (let i = 0; i < 40; i++) await api.get(`${badge}?label=${i}`);
    boards.ofModel.mockClear();
    await api.get(`${badge}?label=39`);
    expect(boards.ofModel).not.toHaveBeenCalled();
    await api.get(`${badge}?label=0`);
    expect(boards.ofModel).toHaveBeenCalledTimes(1);
  });

  it("are never cached if the setting is off", async () => {
    const { platform, leaderboard } = await withBoard();
    const find = vi.fn(platform.boards.find);
    const api = serve({ ...platform, boards: { ...platform.boards, find } });
    await api.get(leaderboard);
    await api.get(leaderboard);
    expect(find).toHaveBeenCalledTimes(2);
  });
});

const other = {
  name: "Other",
  slug: "acme/other",
  endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model: "other" },
};
