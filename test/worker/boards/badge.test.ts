import { describe, expect, it, vi } from "vitest";
import { serve } from "../support/client.ts";
import { harness, relayDataset, submitRun } from "../support/harness.ts";

/** A service with a model of rank 1, and the path of its badge without extension. */
async function withRankedModel() {
  const { platform, deliverAll } = harness();
  const dataset = await relayDataset(platform, 4);
  const run = await submitRun(platform, dataset);
  await deliverAll();
  const slug = (await platform.runs.get(run))?.modelSlug ?? "";
  return { ...serve(platform), dataset, path: `/badge/${slug}` };
}

describe("badges", () => {
  it("apply the query's options, as SVG and JSON", async () => {
    const { get, path } = await withRankedModel();
    const query = "?suite=relay&show=rank&label=mine&style=for-the-badge";
    expect(await (await get(`${path}.json${query}`)).json()).toEqual({
      schemaVersion: 1,
      label: "mine",
      message: "#1/1",
      color: "brightgreen",
      style: "for-the-badge",
    });
    const svg = await get(`${path}.svg${query}`);
    expect(svg.headers.get("content-type")).toContain("image/svg+xml");
    expect(await svg.text()).toContain("MINE");
  });

  it("show the requested dataset", async () => {
    const { get, path, dataset } = await withRankedModel();
    const message = async (query: string) =>
      ((await (await get(`${path}.json?${query}`)).json()) as { message: string }).message;
    expect(await message(`dataset=${dataset}`)).toContain(" · #1/1");
    expect(await message(`suite=relay&show=rank&dataset=${dataset}`)).toBe("#1/1");
    expect(await message("dataset=other")).toBe("not evaluated");
  });

  it.each([
    ["?suite=none", "bad suite"],
    ["?metric=none", "bad metric"],
    ["?metric=__proto__", "bad metric"],
    ["?style=round", "bad style"],
    ["?show=all", "bad show"],
    ["?label=%00", "bad label"],
    ["?label=%FF", "#1/1"],
    ["?style=flat&style=round", "#1/1"],
  ])("are images for any query: %s gives “%s”", async (query, text) => {
    const { get, path } = await withRankedModel();
    const response = await get(`${path}.svg${query}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("image/svg+xml");
    expect(await response.text()).toContain(text);
  });

  it.each(["flat", "flat-square", "plastic", "for-the-badge"])(
    "are drawn in the style %s",
    async (style) => {
      const { get } = serve(harness().platform);
      const svg = await (await get(`/badge/acme/none.svg?style=${style}`)).text();
      expect(svg).toMatch(/^<svg.*not evaluated.*<\/svg>\s*$/is);
    },
  );

  it.each(["svg", "json"])("answer 304 to their ETag, which covers the query: %s", async (as) => {
    const { get, path } = await withRankedModel();
    const first = await get(`${path}.${as}`);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).not.toBe("");
    const again = await get(`${path}.${as}`, { "if-none-match": etag });
    expect(again.status).toBe(304);
    expect(again.headers.get("cache-control")).toContain("public, max-age=240");
    expect(again.headers.get("access-control-allow-origin")).toBe("*");
    const other = await get(`${path}.${as}?label=mine`, { "if-none-match": etag });
    expect(other.status).toBe(200);
  });

  it("show “unavailable” and are not cached if storage fails", async () => {
    const { platform } = harness();
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const away = () => Promise.reject(new Error("D1 is away"));
    const { get } = serve({ ...platform, boards: { ...platform.boards, ofModel: away } });
    const response = await get("/badge/acme/m.svg");
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toContain("unavailable");
    expect(log.mock.calls[0]?.[0]).toContain('"event":"badge-failed"');
    log.mockRestore();
  });
});
