import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { useSimulator } from "./support/simulator.ts";

const main = `${import.meta.dirname}/../../simulator/main.ts`;

describe("main", () => {
  const other = useSimulator();

  it("prints one line when ready and exits cleanly on SIGTERM", async () => {
    const child = start("--port", "0", "--latency-scale", "0");
    const [line] = await once(child.stdout as NodeJS.ReadableStream, "data");
    expect(String(line)).toMatch(/^Simulator ready at http:\/\/127\.0\.0\.1:\d+\/v1\n$/);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("reports in one sentence that its port is in use", async () => {
    const { port } = new URL(other().url);
    expect(await failure("--port", port)).toBe(`Port ${port} is taken; choose another one.\n`);
  });

  it.each([
    [["--port", "x"], "--port must be a number, not 'x'.\n"],
    [["--faults", "500:2"], "the rate of fault '500' must be from 0 to 1, not '2'\n"],
  ])("refuses %j", async (options, message) => {
    expect(await failure(...options)).toBe(message);
  });
});

function start(...options: string[]): ChildProcess {
  return spawn(process.execPath, [main, ...options], { stdio: ["ignore", "pipe", "pipe"] });
}

async function failure(...options: string[]): Promise<string> {
  const child = start(...options);
  let text = "";
  child.stderr?.on("data", (chunk) => {
    text += chunk;
  });
  expect(await once(child, "close")).toEqual([1, null]);
  return text;
}
