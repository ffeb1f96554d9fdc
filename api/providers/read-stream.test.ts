import { expect, it, vi } from "vitest";
import { CompletionParts } from "#shared/protocols/completion-parts.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { readStream } from "./read-stream.ts";

it.each<[after: string, delta: object, seconds: number]>([
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

const answered = `data: ${JSON.stringify({
  choices: [{ index: 0, delta: { content: "Os" }, finish_reason: "stop" }],
})}\n\ndata: [DONE]\n\n`;

/** Reads `count` streams that end after the answer, send more (`again`), or do neither; returns the cancelled ones. */
async function cancelledOf(count: number, then: "end" | "again" | "nothing") {
  const cancelled: number[] = [];
  const encoder = new TextEncoder();
  let at = 0;
  vi.stubGlobal("fetch", async () => {
    const own = at++;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(encoder.encode(answered));
        if (then === "again") controller.enqueue(encoder.encode(answered));
        if (then === "end") controller.close();
      },
      cancel: () => void cancelled.push(own),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  const ask = guardedFetch(Date.now, { readsEvents: true });
  for (let i = 0; i < count; i++) {
    const { signal } = new AbortController();
    await readStream(await ask("https://a.example"), new CompletionParts(), signal, Date.now);
  }
  await new Promise((resolve) => setTimeout(resolve));
  return cancelled;
}

it("readStream() leaves streams alone that end with the answer; it cancels those that continue, and the oldest of many open ones", async () => {
  expect(await cancelledOf(150, "end")).toEqual([]);
  expect(await cancelledOf(2, "again")).toEqual([0, 1]);
  expect(await cancelledOf(130, "nothing")).toEqual([0, 1]);
});

it("readStream() cancels a stream that is still open five seconds after its answer", async () => {
  vi.useFakeTimers();
  const asked = cancelledOf(1, "nothing");
  await vi.advanceTimersByTimeAsync(4_900);
  const cancelled = await asked;
  expect(cancelled).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(cancelled).toEqual([0]);
});
