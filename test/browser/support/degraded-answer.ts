import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import { isJsonObject, type Json } from "../../../shared/contracts/json.ts";

/** A source of numbers in 0–1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `expected` as a model of the given quality (0–1) gets it wrong: fields lost, cut and made up. */
function degraded(expected: Json, quality: number, random: () => number): Json {
  if (typeof expected === "string") {
    return random() < quality ? expected : expected.slice(0, Math.ceil(expected.length * random()));
  }
  if (Array.isArray(expected)) return expected.map((item) => degraded(item, quality, random));
  if (!isJsonObject(expected)) return expected;
  const kept = Object.entries(expected).filter(() => random() < 0.5 + quality / 2);
  const fields = kept.map(([name, value]) => [name, degraded(value, quality, random)]);
  if (random() > quality) fields.push(["remark", "made up"]);
  return Object.fromEntries(fields);
}

/** An answer of the given quality; `lostRate` of the requests fail for good. */
export function degradedAnswer(
  expected: Json,
  quality: number,
  lostRate: number,
  random: () => number,
): Answer {
  const latencyMs = Math.round(300 + 900 * random() ** 3);
  if (random() < lostRate) {
    return {
      ...emptyAnswer,
      attempts: 4,
      error: { class: "timeout", message: "no answer in 60 s" },
    };
  }
  const isRight = random() < quality;
  const text = JSON.stringify(isRight ? expected : degraded(expected, quality, random));
  return {
    ...emptyAnswer,
    output: isRight || random() < quality ? text : text.slice(0, -1),
    finishReason: "stop",
    latencyMs,
    firstByteMs: Math.round(latencyMs / 4),
    inputTokens: 400,
    outputTokens: Math.ceil(text.length / 4),
    attempts: 1,
    httpStatus: 200,
    structuredMode: "json_schema",
  };
}
