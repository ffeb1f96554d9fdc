import OpenAI from "openai";
import { type AskedOfSdk, askAll } from "./ask-all.ts";

// A program that sends each body once with limited concurrency, joins the streamed texts, and replies with wall and CPU time.

const client = new OpenAI({ baseURL: process.argv[2]!, apiKey: "any" });

process.on("message", async (asked: AskedOfSdk) => {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  await askAll(client, asked);
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ wallMs: performance.now() - begun, cpuMs: (user + system) / 1_000 });
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
