import OpenAI from "openai";
import type { AskedOfSdk } from "./sdk-loop.ts";

/** A program: sends each body once, so many at once, and joins the streamed texts. Replies with wall and CPU time, ms. */

const client = new OpenAI({ baseURL: process.argv[2]!, apiKey: "any" });

process.on("message", async ({ bodies, concurrency }: AskedOfSdk) => {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const texts: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < bodies.length; i = next++) texts[i] = await textOf(bodies[i]!);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({ wallMs: performance.now() - begun, cpuMs: (user + system) / 1_000 });
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function textOf(body: AskedOfSdk["bodies"][number]): Promise<string> {
  let text = "";
  for await (const { choices } of await client.chat.completions.create(body))
    text += choices[0]?.delta.content ?? "";
  return text;
}
