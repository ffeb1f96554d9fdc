import { describe, expect, it } from "vitest";
import { aChat, aClient, post, readJson } from "../support/ask.ts";
import { rows } from "../support/rows.ts";
import { useSimulator } from "../support/simulator.ts";

describe("faults", () => {
  const simulator = useSimulator({ slowBodyMs: 60, hugeBytes: 3_000_000 });
  const ask = (fault: string, body = {}) =>
    post(simulator(), { ...aChat("sim-instant"), ...body }, { "x-sim-faults": fault });

  it.each([
    ["429", 429, "rate_limit_exceeded", "1"],
    ["500", 500, null, null],
    ["503", 503, null, "1"],
    ["529", 529, null, null],
    ["401", 401, "invalid_api_key", null],
    ["404", 404, "model_not_found", null],
  ])("%s answers with this status in OpenAI's format", async (fault, status, code, retryAfter) => {
    const answer = await ask(fault);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("retry-after")).toBe(retryAfter);
    expect((await readJson(answer)).error).toMatchObject({ message: expect.any(String), code });
  });

  it("timeout answers late", async () => {
    const begun = performance.now();
    const answer = await ask("timeout", { model: "sim-instant?timeoutMs=80" });
    expect(answer.status).toBe(200);
    expect(performance.now() - begun).toBeGreaterThan(75);
  });

  it("hang never answers", async () => {
    const client = aClient(simulator());
    const asked = client.chat.completions.create(aChat("sim-instant?faults=hang"), { timeout: 60 });
    await expect(asked).rejects.toThrow("Request timed out.");
  });

  it.each([false, true])("cut destroys the connection mid-body (stream: %s)", async (stream) => {
    const answer = await ask("cut", { stream });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow("terminated");
  });

  it("truncated-json ends the response normally in the middle of the JSON", async () => {
    const text = await (await ask("truncated-json")).text();
    expect(text).toMatch(/^\{"id":"chatcmpl-/);
    expect(() => JSON.parse(text)).toThrow();
  });

  it("slow-body sends the headers at once and the body in parts", async () => {
    const answer = await ask("slow-body");
    const begun = performance.now();
    expect((await readJson(answer)).choices).toHaveLength(1);
    expect(performance.now() - begun).toBeGreaterThan(40);
  });

  it("huge sends a body of the configured size", async () => {
    const bytes = (await (await ask("huge")).arrayBuffer()).byteLength;
    expect(bytes).toBeGreaterThan(3_000_000);
    expect(bytes).toBeLessThan(3_200_000);
  });

  it("redirect redirects to a private address", async () => {
    const answer = await ask("redirect");
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("http://10.0.0.1/v1/chat/completions");
  });

  it("html answers 200 with a page, null-choices without choices", async () => {
    const page = await ask("html");
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect((await readJson(ask("null-choices"))).choices).toBeNull();
  });

  it.each([
    ["prose", expect.stringMatching(/^The text describes/), null],
    ["fenced", expect.stringMatching(/^```json\n\{.*\}\n```$/s), null],
    ["empty", "", null],
    ["refusal", null, expect.stringMatching(/^I'm sorry/)],
  ])("%s changes the model's message", async (fault, content, refusal) => {
    const { choices } = await readJson(ask(fault));
    expect(choices?.[0]?.message).toMatchObject({ content, refusal });
  });

  it("draws faults again for each attempt, reproducibly by seed", async () => {
    const statuses = async (model: string) => {
      const sequence: number[] = [];
      for (let turn = 0; turn < 20; turn += 1)
        sequence.push((await post(simulator(), aChat(model))).status);
      return sequence;
    };
    const first = await statuses("sim-instant?faults=500:0.5");
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await statuses("sim-instant?faults=500:0.50")).toEqual(first);
    expect(await statuses("sim-instant?faults=500:0.5&seed=9")).not.toEqual(first);
  });

  it("logs every answer with model, sample and status", async () => {
    const model = "sim-instant?faults=503:1&retryAfter=7";
    for (const row of [rows[1], rows[1], rows[2]]) {
      expect((await post(simulator(), aChat(model, row))).headers.get("retry-after")).toBe("7");
    }
    const { entries } = await readJson(fetch(`${simulator().url}/__log`));
    const own = entries.filter((entry) => entry.model === model);
    const found = own.map(({ sample, attempt, status, fault }) => [sample, attempt, status, fault]);
    expect(found).toEqual([
      ["invoice-1", 1, 503, "503"],
      ["invoice-1", 2, 503, "503"],
      ["invoice-2", 1, 503, "503"],
    ]);
  });

  it("answers 429 to more concurrent requests than maxInFlight", async () => {
    const asked = rows
      .slice(0, 3)
      .map((row) => post(simulator(), aChat("sim-instant?latency=50&maxInFlight=2", row)));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 429]);
  });

  it("applies faults to embeddings, and refuses an invalid header", async () => {
    const body = { model: "sim-embedding", input: "x" };
    expect((await post(simulator(), body, { "x-sim-faults": "500" }, "/embeddings")).status).toBe(
      500,
    );
    const answer = await ask("flood:0.5");
    expect(answer.status).toBe(400);
    expect((await readJson(answer)).error.message).toContain("unknown fault 'flood'");
  });
});
