import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { adaptersOf } from "../../api/index.ts";
import { harness, relayDataset, submitRun } from "./harness.ts";

afterEach(() => vi.restoreAllMocks());

it("a run stored while private endpoints were allowed calls none once they are not", async () => {
  const fetched = vi.spyOn(globalThis, "fetch");
  const closed = { ...(env as object), ALLOW_PRIVATE_ENDPOINTS: "false" };
  const { ports, deliverAll } = harness({ ask: adaptersOf(closed as never).ask });
  const run = await submitRun(ports, await relayDataset(ports, 3));
  await deliverAll();
  expect(fetched).not.toHaveBeenCalled();
  expect(await ports.runs.get(run)).toMatchObject({ status: "finished", done: 3, failed: 3 });
  const rows = await ports.runs.samples(run, -1, 3);
  expect(rows.map(({ errorClass, attempts }) => [errorClass, attempts])).toEqual(
    Array.from({ length: 3 }, () => ["blocked", 0]),
  );
});
