import { isJsonObject, type Json } from "../shared/contracts/json.ts";
import { err, ok, type Result } from "../shared/contracts/result.ts";
import { type ApiError, apiError } from "./api-error.ts";
import { countTokens } from "./chat-response.ts";
import { type Delivery, drawLatencyMs, jsonBody } from "./delivery.ts";
import { drawsFrom } from "./draws.ts";
import { answerAs, answerOnce, type Call } from "./exchange.ts";
import { textKey } from "./responders/responder.ts";
import type { Simulation } from "./simulation.ts";

/** Answers `POST /v1/embeddings`. */
export function answerEmbeddings(simulation: Simulation, call: Call): Delivery {
  return answerAs(simulation, call, parseEmbeddings(call.body), (request, model) => {
    const key = textKey(request.texts.join("\n"));
    return answerOnce(simulation, call, { model, key, id: null }, (number) => {
      const draws = drawsFrom("latency", model.seed ?? simulation.seed, model.id, key, number);
      const latencyMs = drawLatencyMs(model, 0, simulation.latencyScale, draws);
      const delivery = jsonBody(embeddingsResponse(request), latencyMs);
      return { delivery, latencyMs, mistakes: [] };
    });
  });
}

/** Length of a vector unless the request gives another. */
const defaultDimensions = 256;

/** Number of letters that related words must share. */
const stemLength = 5;

/** A parsed embeddings request. */
interface ParsedEmbeddings {
  model: string;
  texts: readonly string[];
  dimensions: number;
  base64: boolean;
}

/** Parses an embeddings request; errors are OpenAI's. */
function parseEmbeddings(body: unknown): Result<ParsedEmbeddings, ApiError> {
  if (!isJsonObject(body) || typeof body.model !== "string") {
    return err(apiError(400, "you must provide a model parameter"));
  }
  const texts: Json[] = Array.isArray(body.input) ? body.input : [body.input ?? null];
  if (texts.length === 0 || !texts.every((text) => typeof text === "string" && text !== "")) {
    return err(
      apiError(400, "'$.input' is invalid. Please check the API reference.", { param: "input" }),
    );
  }
  return ok({
    model: body.model,
    texts: texts as string[],
    dimensions: typeof body.dimensions === "number" ? body.dimensions : defaultDimensions,
    base64: body.encoding_format === "base64",
  });
}

/** The body of an embeddings reply. */
function embeddingsResponse({ model, texts, dimensions, base64 }: ParsedEmbeddings): string {
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const data = texts.map((text, index) => {
    const vector = embed(text, dimensions);
    const embedding = base64 ? Buffer.from(vector.buffer).toString("base64") : [...vector];
    return { object: "embedding", index, embedding };
  });
  return JSON.stringify({
    object: "list",
    data,
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

/**
 * Unit vector of a text: its words, and at half weight their first letters, hashed with signs into `dimensions`
 * positions (Weinberger et al., 2009). Texts that share words are close.
 */
export function embed(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    addFeature(vector, word, 1);
    addFeature(vector, `${word.slice(0, stemLength)}*`, 0.5);
  }
  const norm = Math.hypot(...vector);
  return norm === 0 ? vector.fill(1 / Math.sqrt(dimensions)) : vector.map((x) => x / norm);
}

function addFeature(vector: Float32Array, feature: string, weight: number): void {
  const code = fnv1a(feature);
  const place = (code >>> 1) % vector.length;
  vector[place] = (vector[place] ?? 0) + (code & 1 ? weight : -weight);
}

/** The 32-bit FNV-1a hash over UTF-16 code units. Source: http://www.isthe.com/chongo/tech/comp/fnv/ */
function fnv1a(text: string): number {
  let code = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    code = Math.imul(code ^ text.charCodeAt(index), 0x01000193);
  }
  return code >>> 0;
}
