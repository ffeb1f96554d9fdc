import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { root } from "../../../cli/local/root.ts";
import { type Stack, startStack } from "../../../cli/local/stack.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { serviceApi } from "../../support/service-api.ts";

/** The service of a test file, set when `servedAt` has started it, and its client. */
export let stack: Stack;
export let api: ReturnType<typeof serviceApi>;

/** Temporary folder of the test file. */
export const folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));

/** Rows of a suite's stock dataset. */
export const stockOf = (suite: string) =>
  readFileSync(join(root, `shared/suites/${suite}/stock.jsonl`), "utf8");

export const stock = stockOf("extraction");

/** Starts a fresh service for the tests of a file, and stops it after them. */
export function servedAt(port: number): void {
  beforeAll(async () => {
    stack = await startStack({ port, folder, fresh: true, site: false, print: console.error });
    api = serviceApi(stack.origin);
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}

export const finished = (id: string): Promise<Run> =>
  until(async () => {
    const run = await api.run(id);
    return run.finishedAt === null ? null : run;
  });

export async function until<T>(probe: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await probe();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
