import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { harness, relayDataset, submitRun } from "../support/harness.ts";

const PAGES = 140;
const ENTRIES_A_PAGE = 100;
/** The longest slug that a model may have. */
const SLUG_CHARS = 200;

it("write() stores the pages of fourteen thousand models in values of less than 2 MB", async () => {
  const { platform, deliverAll } = harness();
  const run = await submitRun(platform, await relayDataset(platform, 2));
  await deliverAll();
  const id = (await platform.runs.get(run))?.boardId ?? "";
  const board = await platform.boards.get(id);
  const places = Array.from({ length: PAGES }, (_, page) =>
    Array.from({ length: ENTRIES_A_PAGE }, (__, entry) =>
      `acme/${page}-${entry}-`.padEnd(SLUG_CHARS, "m"),
    ),
  );
  const pages = { pages: [], places, retired: [], deleteAt: 0 };
  const bind = vi.spyOn(Object.getPrototypeOf(env.DB.prepare("SELECT 1")), "bind");
  await platform.boards.write(id, { ...board!, ...pages }, platform.now());
  const values = bind.mock.calls.flat().map((value) => String(value).length);
  bind.mockRestore();
  expect(Math.max(...values)).toBeGreaterThan(100_000);
  expect(Math.max(...values)).toBeLessThan(2_000_000);
  const stored = await env.DB.prepare("SELECT count(*) AS n FROM board_places WHERE board_id = ?")
    .bind(id)
    .first<number>("n");
  expect(stored).toBe(PAGES * ENTRIES_A_PAGE);
});
