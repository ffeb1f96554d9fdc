import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { modelClient } from "../../api/providers/ask-model.ts";
import { type EndpointMemory, endpointMemory } from "../../api/providers/endpoint-memory.ts";
import { serve } from "../security/support/ask-server.ts";
import { rows } from "../simulator/support/rows.ts";
import { useSimulator } from "../simulator/support/simulator.ts";

const simulator = useSimulator();

interface Options {
  memory?: EndpointMemory;
  timeoutMs?: number;
  maxRetries?: number;
  model?: string;
}

async function ask(baseUrl: string, content: string, options: Options = {}) {
  const { memory = endpointMemory(), timeoutMs = 5_000, maxRetries = 0, model = "m" } = options;
  const client = modelClient({ now: Date.now, sleep: async () => {}, random: () => 0 });
  const reply = await client(
    { baseUrl, model, apiKey: "sk-any", maxTokensParam: "max_tokens" },
    { messages: [{ role: "user", content }], temperature: 0 },
    { timeoutMs, maxRetries, blockedMs: 0 },
    memory,
  );
  if (reply.kind !== "answer") throw new Error("it was postponed");
  return { answer: reply.answer, memory };
}

const chunk = (delta: object, more: object = {}, finish: string | null = null) =>
  `data: ${JSON.stringify({ model: "m-1", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
const begin = chunk({ role: "assistant", content: "" });
const usage = { prompt_tokens: 7, completion_tokens: 3 };
const end = (reason = "stop") => chunk({}, {}, reason);
const counted = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
const done = "data: [DONE]\n\n";

function sendStream(response: ServerResponse, ...events: string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.end(events.join(""));
}

const sends = (...events: string[]) => serve((_, response) => sendStream(response, ...events));
const body = (message: object, more: object = { usage }) =>
  JSON.stringify({ model: "m-1", choices: [{ message, finish_reason: "stop" }], ...more });

function sendJson(response: ServerResponse, text: string, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(text);
}

const call = (index: number, fields: object, more: object = {}) => ({
  tool_calls: [{ index, ...more, function: fields }],
});

describe("a stream is read", () => {
  it.each<[what: string, events: string[], expected: object]>([
    [
      "as text in parts, with token counts in a separate event",
      [begin, chunk({ content: "Good" }), chunk({ content: " day" }), end(), counted, done],
      { output: "Good day", finishReason: "stop", inputTokens: 7, outputTokens: 3 },
    ],
    [
      "with token counts in the last event, and keep-alive comments",
      [": waiting\n\n", begin, chunk({ content: "A" }), chunk({}, { usage }, "length")],
      { output: "A", finishReason: "length", inputTokens: 7, servedModel: "m-1" },
    ],
    [
      "with two parallel calls whose arguments arrive in pieces",
      [
        begin,
        chunk(call(0, { name: "add", arguments: "" }, { id: "c1" })),
        chunk(call(1, { name: "look", arguments: '{"at"' }, { id: "c2" })),
        chunk(call(0, { arguments: '{"x":' })),
        chunk(call(0, { arguments: "1}" })),
        chunk(call(1, { arguments: ":2}" })),
        end("tool_calls"),
        counted,
      ],
      {
        output: null,
        toolCalls: [
          { name: "add", arguments: { x: 1 } },
          { name: "look", arguments: { at: 2 } },
        ],
      },
    ],
    [
      "with thoughts in a separate field",
      [begin, chunk({ reasoning_content: "Hm," }), chunk({ reasoning_content: " so" })].concat([
        chunk({ content: "42" }),
        end(),
        counted,
      ]),
      { output: "42", thoughts: "Hm, so" },
    ],
    [
      "with thoughts as parts of the content",
      [
        chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] }),
        chunk({ content: "4" }),
        chunk({ content: "2" }),
        end(),
        counted,
      ],
      { output: "42", thoughts: "Hm" },
    ],
    [
      "with a refusal",
      [begin, chunk({ refusal: "I" }), chunk({ refusal: " won't" }), end(), counted],
      { output: null, refusal: "I won't", error: null },
    ],
    [
      "with log probabilities",
      [begin, chunk({ content: "A" }), end(), counted].map((event, i) =>
        i === 1
          ? event.replace(
              '"finish_reason"',
              '"logprobs":{"content":[{"logprob":-1}]},"finish_reason"',
            )
          : event,
      ),
      { output: "A", confidence: Math.exp(-1) },
    ],
    ["as an empty text", [begin, end(), counted], { output: "", error: null }],
  ])("%s", async (_, events, expected) => {
    const { answer, memory } = await ask(await sends(...events), "hello");
    expect(answer).toMatchObject({ error: null, attempts: 1, ...expected });
    expect(memory.streams.work).toBe(true);
  });

  it("with the same answers as without a stream", async () => {
    for (const { text } of rows.slice(0, 8)) {
      for (const model of ["sim-small", "sim-tiny", "sim-perfect?thoughts=field"]) {
        const options = { model: `${model}${model.includes("?") ? "&" : "?"}latency=0` };
        const { answer: streamed, memory } = await ask(simulator().baseUrl, text, options);
        const without = endpointMemory({ parameters: ["stream"] });
        const { answer } = await ask(simulator().baseUrl, text, { ...options, memory: without });
        expect(memory.streams.work).toBe(true);
        const times = { latencyMs: 0, firstByteMs: 0, networkMs: 0, retryWaitMs: 0 };
        const { firstTokenMs, ...whole } = streamed;
        expect({ ...whole, ...times }).toEqual({ ...answer, ...times });
        if (streamed.output) expect(firstTokenMs).toBeLessThanOrEqual(streamed.firstByteMs!);
      }
    }
  });

  it("with the time of its first text, not of its headers or thoughts", async () => {
    const baseUrl = await serve(async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(begin + chunk({ reasoning: "hm" }));
      await setTimeout(150);
      response.write(chunk({ content: "<think>\nso" }));
      await setTimeout(150);
      response.write(chunk({ content: "</think>\n\n" }));
      response.write(chunk({ content: "A" }));
      await setTimeout(300);
      response.end(end() + counted);
    });
    const { answer } = await ask(baseUrl, "hello");
    expect(answer.firstByteMs).toBeGreaterThanOrEqual(200);
    expect(answer.firstByteMs! - answer.firstTokenMs!).toBeGreaterThanOrEqual(200);
    expect(answer.latencyMs! - answer.firstByteMs!).toBeGreaterThanOrEqual(200);
  });
});

describe("a stream that fails", () => {
  it.each<[what: string, error: object, expected: object]>([
    ["classified by its code", { code: 502, message: "no provider" }, { class: "server_error" }],
    ["classified by its code as a text", { code: "400", message: "no" }, { class: "bad_request" }],
    ["of class server_error without a code", { message: "oh" }, { class: "server_error" }],
  ])("in the middle is an error %s", async (_, error, expected) => {
    const event = `data: ${JSON.stringify({ error })}\n\n`;
    const { answer } = await ask(await sends(begin, chunk({ content: "A" }), event), "hello");
    expect(answer).toMatchObject({ output: null, error: expected });
  });

  it("to end by the time limit is a timeout, even if it keeps sending", async () => {
    const baseUrl = await serve(async (request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      while (!request.socket.destroyed) {
        response.write(chunk({ content: "A" }));
        await setTimeout(20);
      }
    });
    const { answer } = await ask(baseUrl, "hello", { timeoutMs: 200 });
    expect(answer).toMatchObject({
      output: null,
      error: { class: "timeout", message: "no answer within 200 ms" },
    });
    expect(answer.error?.received).toMatch(/^A+$/);
  });

  it("because of its size is of class too_large", async () => {
    const line = await sends(`data: "${"x".repeat(5 * 1024 * 1024)}`);
    expect((await ask(line, "hello")).answer.error?.class).toBe("too_large");
    const text = chunk({ content: "x".repeat(100_000) });
    const many = await sends(begin, text.repeat(50), end(), counted);
    expect((await ask(many, "hello")).answer.error?.class).toBe("too_large");
    const empty = await sends("data: {}\n\n".repeat(300_000));
    expect((await ask(empty, "hello")).answer.error?.class).toBe("too_large");
    const parts = await sends(chunk({ content: [{}] }).repeat(250_000));
    expect((await ask(parts, "hello")).answer.error?.class).toBe("too_large");
    const values = await sends(`data: [${"1,".repeat(600_000)}1]\n\n`);
    expect((await ask(values, "hello")).answer.error?.class).toBe("too_large");
  });
});

/** An endpoint that records whether each request asked for a stream. */
async function noting(respond: (response: ServerResponse, isStream: boolean) => void) {
  const asked: boolean[] = [];
  const baseUrl = await serve(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const isStream = (JSON.parse(text) as { stream?: boolean }).stream === true;
    asked.push(isStream);
    respond(response, isStream);
  });
  return { baseUrl, asked };
}

describe("an endpoint", () => {
  it.each<[what: string, respond: (response: ServerResponse, isStream: boolean) => void]>([
    [
      "that refuses streams",
      (response, isStream) =>
        isStream
          ? sendJson(response, '{"error":{"message":"unknown field stream_options"}}', 400)
          : sendJson(response, body({ content: "A" })),
    ],
    [
      "whose streams have no token counts",
      (response, isStream) =>
        isStream
          ? sendStream(response, begin, chunk({ content: "A" }), end(), done)
          : sendJson(response, body({ content: "A" })),
    ],
    [
      "whose streams end too early",
      (response, isStream) =>
        isStream
          ? sendStream(response, begin, chunk({ content: "A" }))
          : sendJson(response, body({ content: "A" })),
    ],
    [
      "whose streams have the type text/plain",
      (response, isStream) => {
        if (!isStream) return sendJson(response, body({ content: "A" }));
        response.writeHead(200, { "content-type": "text/plain" });
        response.end(begin + chunk({ content: "A" }) + end() + counted + done);
      },
    ],
    [
      "whose streams end too early, with an empty reason in every chunk",
      (response, isStream) =>
        isStream
          ? sendStream(response, begin, chunk({ content: "A" }, {}, ""), counted)
          : sendJson(response, body({ content: "A" })),
    ],
    [
      "whose streams are not JSON",
      (response, isStream) =>
        isStream
          ? sendStream(response, "data: {broken\n\n")
          : sendJson(response, body({ content: "A" })),
    ],
  ])("%s is asked without streams from then on", async (_, respond) => {
    const { baseUrl, asked } = await noting(respond);
    const { answer, memory } = await ask(baseUrl, "hello");
    expect(answer).toMatchObject({ output: "A", error: null, outputTokens: 3, retries: 0 });
    expect(memory.refusedParameters).toEqual(new Set(["stream"]));
    expect(memory.notes).toHaveLength(1);
    await ask(baseUrl, "hello", { memory });
    expect(asked).toEqual([true, false, false]);
  });

  it.each(["application/json", "text/plain"])(
    "that answers a stream request with %s is understood",
    async (type) => {
      const { baseUrl, asked } = await noting((response) => {
        response.writeHead(200, { "content-type": type });
        response.end(body({ content: "A" }));
      });
      const { answer, memory } = await ask(baseUrl, "hello");
      expect(answer).toMatchObject({ output: "A", attempts: 1, outputTokens: 3 });
      expect(answer.firstByteMs).not.toBeNull();
      expect(memory).toMatchObject({ streams: { work: false }, notes: [] });
      expect(asked).toEqual([true]);
    },
  );

  it("whose streams are useless gets concurrent requests again, and all later ones, without streams", async () => {
    const { baseUrl, asked } = await noting((response, isStream) =>
      isStream
        ? sendStream(response, begin, chunk({ content: "A" }), end(), done)
        : sendJson(response, body({ content: "A" })),
    );
    const memory = endpointMemory();
    const all = await Promise.all([1, 2, 3].map(() => ask(baseUrl, "hello", { memory })));
    expect(all.map(({ answer }) => answer.outputTokens)).toEqual([3, 3, 3]);
    expect(asked.filter(Boolean)).toHaveLength(3);
    expect(memory.notes).toHaveLength(1);
    await ask(baseUrl, "hello", { memory });
    expect(asked.filter(Boolean)).toHaveLength(3);
  });

  it("whose streams have worked may answer once without token counts", async () => {
    let isFirst = true;
    const { baseUrl, asked } = await noting((response) => {
      sendStream(response, begin, chunk({ content: "A" }), end(), isFirst ? counted : done);
      isFirst = false;
    });
    const memory = endpointMemory();
    await ask(baseUrl, "hello", { memory });
    const { answer } = await ask(baseUrl, "hello", { memory });
    expect(answer).toMatchObject({ output: "A", outputTokens: null, error: null });
    expect(asked).toEqual([true, true]);
  });

  it("that is overloaded is retried with a stream", async () => {
    let isBusy = true;
    const { baseUrl, asked } = await noting((response) => {
      if (isBusy) sendJson(response, '{"error":{"message":"later"}}', 429);
      else sendStream(response, begin, chunk({ content: "A" }), end(), counted);
      isBusy = false;
    });
    const { answer } = await ask(baseUrl, "hello", { maxRetries: 1 });
    expect(answer).toMatchObject({ output: "A", retries: 1 });
    expect(asked).toEqual([true, true]);
  });
});
