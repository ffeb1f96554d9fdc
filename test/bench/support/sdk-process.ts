import OpenAI from "openai";
import type { AskedOfSdk } from "./sdk-loop.ts";

const client = new OpenAI({ baseURL: process.argv[2]!, apiKey: "any" });

process.on("message", async ({ model, prompts, concurrency }: AskedOfSdk) => {
  const begun = performance.now();
  const answers: (string | null)[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < prompts.length; i = next++) {
      const messages = [{ role: "user" as const, content: prompts[i]! }];
      const answer = await client.chat.completions.create({ model, messages });
      answers[i] = answer.choices[0]?.message.content ?? null;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  process.send?.(performance.now() - begun);
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
