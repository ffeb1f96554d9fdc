import { afterEach, expect, it, vi } from "vitest";
import { CompletionParts } from "#shared/protocols/completion-parts.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { readStream } from "./read-stream.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each<[what: string, delta: object, seconds: number]>([
  ["an answer", { content: "Os" }, 0.02],
  ["thoughts", { reasoning: "Hm" }, 0.06],
  ["thoughts in the text", { content: "<think>Hm" }, 0.06],
  ["its first event", { role: "assistant", content: "" }, 0.06],
])("readStream() gives up a stream that goes silent after %s", async (_, delta, seconds) => {
  const event = JSON.stringify({ choices: [{ index: 0, delta }] });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`data: ${event}\n\n`)),
  });
  const headers = { "content-type": "text/event-stream" };
  vi.stubGlobal("fetch", async () => new Response(body, { headers }));
  const options = { readsEvents: true, stallMs: 20, thinkingStallMs: 60 };
  const response = await guardedFetch(Date.now, options)("https://a.example");
  const { signal } = new AbortController();
  await expect(readStream(response, new CompletionParts(), signal, Date.now)).rejects.toThrow(
    `the stream sent nothing for ${seconds} s`,
  );
});
