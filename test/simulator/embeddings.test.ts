import { describe, expect, it } from "vitest";
import { embed } from "../../simulator/answer-embeddings.ts";
import { aClient, post } from "./support/ask.ts";
import { useSimulator } from "./support/simulator.ts";

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, x, index) => sum + x * (b[index] ?? 0), 0);

describe("embed()", () => {
  it("gives similar vectors to texts that share words, and different ones to others", () => {
    const [sleep, sleeping, tax] = [
      "How can I sleep better at night?",
      "Better sleep at night comes from sleeping regularly.",
      "The invoice includes value added tax.",
    ].map((text) => embed(text, 256)) as [Float32Array, Float32Array, Float32Array];
    expect(cosine(sleep, sleep)).toBeCloseTo(1, 5);
    expect(cosine(sleep, sleeping)).toBeGreaterThan(0.4);
    expect(Math.abs(cosine(sleep, tax))).toBeLessThan(0.25);
  });

  it("gives a unit vector to a text without words", () => {
    expect(cosine(embed("…", 16), embed("…", 16))).toBeCloseTo(1, 5);
  });
});

describe("POST /v1/embeddings", () => {
  const simulator = useSimulator();

  it("answers OpenAI's client with the same vector in base64 and as numbers", async () => {
    const ask = (encoding_format: "base64" | "float") =>
      aClient(simulator()).embeddings.create({
        model: "sim-embedding",
        input: ["red wine", "white wine"],
        dimensions: 64,
        encoding_format,
      });
    const plain = await ask("float");
    expect(plain.data.map(({ embedding }) => embedding.length)).toEqual([64, 64]);
    expect(plain.usage).toEqual({ prompt_tokens: 5, total_tokens: 5 });
    const packed = await aClient(simulator()).embeddings.create({
      model: "sim-embedding",
      input: "red wine",
      dimensions: 64,
    });
    expect(packed.data[0]?.embedding[0]).toBeCloseTo(plain.data[0]?.embedding[0] ?? Number.NaN, 6);
  });

  it.each([[{ input: "" }], [{ input: [] }], [{ input: [1] }], [{ model: undefined, input: "x" }]])(
    "refuses %j",
    async (change) => {
      const answer = await post(
        simulator(),
        { model: "sim-embedding", ...change },
        {},
        "/embeddings",
      );
      expect(answer.status).toBe(400);
    },
  );
});
