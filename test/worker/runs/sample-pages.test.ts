import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { SamplePage } from "../../../shared/contracts/run.ts";
import { problemOf, serve } from "../support/client.ts";
import { answering, harness, relayDataset, submitRun } from "../support/harness.ts";

/** Scores by place: some are equal, one is missing, and one request failed. */
const scores = [0.5, 1, 0, 0.5, null, 0.5, 1, 0];
const failed = 7;

async function scoredRun() {
  const { platform, deliverAll } = harness({
    ask: answering(({ messages }) =>
      /word 7/i.test(messages.at(-1)?.content ?? "")
        ? { error: { class: "timeout", message: "late" } }
        : {},
    ),
  });
  const run = await submitRun(platform, await relayDataset(platform, scores.length));
  await deliverAll();
  for (const [seq, score] of scores.entries()) {
    await env.DB.prepare("UPDATE samples SET score = ?, status = ? WHERE run_id = ? AND seq = ?")
      .bind(score, score === null ? "unscored" : "scored", run, seq)
      .run();
  }
  const { get } = serve(platform);
  const path = `/v1/runs/${run}/samples`;
  const page = async (query: string) =>
    (await (await get(`${path}?${query}`)).json()) as SamplePage;
  return { run, get, path, page };
}

/** Places of all samples, read in pages of `limit`. */
async function allPages(
  page: (query: string) => Promise<SamplePage>,
  query: string,
  limit: number,
) {
  const seqs: number[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const read = await page(`${query}&limit=${limit}${cursor && `&cursor=${cursor}`}`);
    seqs.push(...read.samples.map(({ seq }) => seq));
    expect(seqs.length).toBeLessThanOrEqual(scores.length);
    cursor = read.nextCursor;
  }
  return seqs;
}

const lowestFirst = [2, 7, 0, 3, 5, 1, 6, 4];

describe("GET /v1/runs/{id}/samples", () => {
  it.each([1, 2, 3, 8, 100])("keeps the order by score over pages of %i", async (limit) => {
    const { page } = await scoredRun();
    expect(await allPages(page, "order=score", limit)).toEqual(lowestFirst);
    expect(await allPages(page, "order=seq", limit)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it.each([
    ["status=unscored", [4]],
    ["status=scored&order=score", lowestFirst.filter((seq) => seq !== 4)],
    ["covered=false", [failed]],
    ["covered=true&status=scored", [0, 1, 2, 3, 5, 6]],
    ["status=answered", []],
  ])("filters: %s", async (query, seqs) => {
    const { page } = await scoredRun();
    expect(await allPages(page, query, 2)).toEqual(seqs);
  });

  it.each(["order=name", "status=done", "covered=1", "cursor=x"])("refuses %s", async (query) => {
    const { get, path } = await scoredRun();
    expect((await get(`${path}?${query}`)).status).toBe(422);
  });

  it("refuses to sort or filter a run of more than 20,000 samples", async () => {
    const { get, path, run, page } = await scoredRun();
    await env.DB.prepare("UPDATE runs SET total = 20001 WHERE id = ?").bind(run).run();
    const refused = await get(`${path}?order=score&covered=false`);
    expect(refused.status).toBe(422);
    const detail = expect.stringContaining("has 20001 samples, and only runs of up to 20000");
    expect((await problemOf(refused)).errors).toEqual([
      { parameter: "order", detail },
      { parameter: "covered", detail },
    ]);
    expect((await page("limit=2")).samples).toHaveLength(2);
  });
});
