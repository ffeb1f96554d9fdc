import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { expect, test, vi } from "vitest";
import { runAssay } from "../../../cli/command-line/run-assay.ts";
import { gathering, launcher } from "../support/assay.ts";
import { canaryService, running } from "../support/canary-service.ts";

test("assay canary shows its progress on a terminal and clears the line at the end", async () => {
  await using service = await canaryService({ first: { run_i: [running("run_i", 1)] } });
  const [stdout, stderr] = [gathering(), gathering()];
  const streams = {
    stdout: Object.assign(stdout.stream, { isTTY: true }),
    stderr: Object.assign(stderr.stream, { isTTY: true }),
    stdin: Readable.from([]),
  };
  expect(await runAssay(["canary", "--server", service.url], streams)).toBe(0);
  expect(stderr.text().split("\r\x1b[K")).toEqual([
    "",
    "judging: 2 of 3 runs done, 132 of 180 samples …",
    "judging: 3 of 3 runs done, 180 of 180 samples …",
    "",
  ]);
  expect(stdout.text()).not.toContain("\x1b");
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "assay canary says on %s that the service continues",
  async (signal) => {
    await using service = await canaryService({
      instead: { "GET /v1/runs/run_c": running("run_c", 30) },
    });
    const child = spawn(process.execPath, [launcher, "canary", "--server", service.url]);
    let told = "";
    child.stderr.on("data", (chunk) => {
      told += chunk;
    });
    const ended = new Promise((resolve) => {
      child.on("close", (_code, by) => resolve(by));
    });
    await vi.waitUntil(() => service.asked.length === 4, { timeout: 30_000 });
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect(told).toBe("the service continues; assay canary memory --no-run prints the result\n");
  },
);
