import { describe, expect, it, vi } from "vitest";
import {
  BodyTooLargeError,
  guardedFetch,
  guardOf,
  headersAt,
  RedirectError,
  StalledError,
} from "./guarded-fetch.ts";

const mebibyte = 1024 * 1024;
const asked = guardedFetch(() => 17);
const answers = (body: BodyInit | null, init?: ResponseInit) => {
  const fetched = vi.fn(async () => new Response(body, init));
  vi.stubGlobal("fetch", fetched);
  return fetched;
};

/** A body of the given size, with its state: chunks sent, and whether it was cancelled. */
function streamOf(mebibytes: number) {
  const state = { sent: 0, isCancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (state.sent++ < mebibytes) controller.enqueue(new Uint8Array(mebibyte));
      else controller.close();
    },
    cancel() {
      state.isCancelled = true;
    },
  });
  return { state, stream };
}

/** Reads a stream to its end, as `readStream` does. */
async function readAll({
  guard,
  body,
}: {
  guard: NonNullable<ReturnType<typeof guardOf>>;
  body: ReadableStream<Uint8Array>;
}) {
  for await (const _ of guard.chunks(body));
}

it("guardedFetch() sends requests through `direct` with the same checks", async () => {
  const fetched = answers("by fetch");
  const direct = vi.fn(async () => new Response(null, { status: 302 }));
  const moved = guardedFetch(() => 17, { direct })("https://a.example/");
  await expect(moved).rejects.toThrow(RedirectError);
  expect(direct.mock.calls).toEqual([["https://a.example/", { redirect: "manual" }]]);
  expect(fetched).not.toHaveBeenCalled();
});

describe("guardedFetch()", () => {
  it("follows no redirect, even if asked to, and cancels its body", async () => {
    const { state, stream } = streamOf(1);
    const fetched = answers(stream, { status: 307, headers: { location: "http://10.0.0.1/" } });
    const error = await asked("https://a.example", { redirect: "follow" }).catch((e) => e);
    expect(error).toBeInstanceOf(RedirectError);
    expect(error.status).toBe(307);
    expect(fetched).toHaveBeenCalledWith("https://a.example", { redirect: "manual" });
    expect(state.isCancelled).toBe(true);
  });

  it("does not read a body that declares too large a size", async () => {
    const { state, stream } = streamOf(5);
    answers(stream, { headers: { "content-length": `${4 * mebibyte + 1}` } });
    await expect(asked("https://a.example")).rejects.toBeInstanceOf(BodyTooLargeError);
    expect(state.isCancelled).toBe(true);
  });

  it("stops reading a body that is too large without declaring it", async () => {
    const { state, stream } = streamOf(100);
    answers(stream);
    const response = await asked("https://a.example");
    await expect(response.arrayBuffer()).rejects.toBeInstanceOf(BodyTooLargeError);
    expect(state.sent).toBeLessThan(10);
  });

  it.each([
    ["declared", true],
    ["not declared", false],
  ])(
    "stops reading JSON with more values than fit in memory, its size %s",
    async (_, isDeclared) => {
      const body = `[${"[1],".repeat(300_000)}1]`;
      const headers = isDeclared ? { "content-length": `${body.length}` } : {};
      answers(body, { headers });
      const response = await asked("https://a.example");
      await expect(response.json()).rejects.toThrow("JSON of more than 500000 values");
      const text = JSON.stringify({ content: "one, two [three] ".repeat(60_000) });
      answers(text, { headers: { "content-length": `${text.length}` } });
      expect(await (await asked("https://a.example")).text()).toBe(text);
    },
  );

  it("ends an event stream that goes silent, later while the model may be thinking", async () => {
    const silent = async (thinkingStallMs: number) => {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode("data: {}\n\n")),
      });
      answers(stream, { headers: { "content-type": "text/event-stream" } });
      const options = { readsEvents: true, stallMs: 20, thinkingStallMs };
      const response = await guardedFetch(() => 0, options)("https://a.example");
      return { guard: guardOf(response)!, body: response.body! };
    };
    const begun = await silent(60_000);
    begun.guard.begin();
    const thinking = readAll(begun).catch((error: unknown) => error);
    const waited = new Promise((resolve) => setTimeout(resolve, 100, "waits"));
    expect(await Promise.race([thinking, waited])).toBe("waits");
    begun.guard.answerBegins();
    expect(await thinking).toEqual(new StalledError("the stream sent nothing for 0.02 s"));
    const silentForLong = await silent(60);
    silentForLong.guard.begin();
    await expect(readAll(silentForLong)).rejects.toThrow("the stream sent nothing for 0.06 s");
  });

  it("limits the size of an event stream, whether the caller reads events or not", async () => {
    const headers = { "content-type": "text/event-stream" };
    const guarded = streamOf(100);
    answers(guarded.stream, { headers });
    const response = await guardedFetch(() => 0, { readsEvents: true })("https://a.example");
    await expect(readAll({ guard: guardOf(response)!, body: response.body! })).rejects.toThrow(
      BodyTooLargeError,
    );
    expect(guarded.state.sent).toBeLessThan(10);
    expect(guarded.state.isCancelled).toBe(true);
    for (const [fetched, status] of [
      [asked, 200],
      [guardedFetch(() => 0, { readsEvents: true }), 500],
    ] as const) {
      const { stream, state } = streamOf(100);
      answers(stream, { headers, status });
      const other = await fetched("https://a.example");
      expect(guardOf(other)).toBe(undefined);
      await other.text().catch(() => {});
      expect(state.sent).toBeLessThan(10);
    }
  });

  it("returns an allowed response unchanged and records when its headers arrived", async () => {
    answers(streamOf(4).stream, { status: 500, headers: { "x-source": "local" } });
    const response = await asked("https://a.example");
    expect(headersAt(response)).toBe(17);
    expect([response.status, response.headers.get("x-source")]).toEqual([500, "local"]);
    expect((await response.arrayBuffer()).byteLength).toBe(4 * mebibyte);
    answers(null, { status: 204 });
    expect((await asked("https://a.example")).body).toBeNull();
  });
});
