import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

/** Registers both handlers: the process must wait for the slow one, even though the other returns at once. */
const script = `
import { onStop, onTermination } from ${JSON.stringify(import.meta.resolve("./on-termination.ts"))};
onStop(async () => {
  await new Promise((resolve) => setTimeout(resolve, 200));
  console.log("stopped");
});
onTermination(() => console.log("cleaned up"));
setInterval(() => {}, 1000);
console.log("ready");`;

test.each(["SIGINT", "SIGTERM"] as const)(
  "onStop() ends the process after %s when its cleanup has finished",
  async (signal) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
    const printed = text(child.stdout);
    await once(child.stdout, "readable");
    child.kill(signal);
    const [code, by] = await once(child, "exit");
    expect([code, by]).toEqual([null, signal]);
    expect((await printed).split("\n")).toEqual(["ready", "cleaned up", "stopped", ""]);
  },
);
