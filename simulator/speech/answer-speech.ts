import { isJsonObject } from "../../shared/contracts/json.ts";
import { err, ok, type Result } from "../../shared/contracts/result.ts";
import { type ApiError, apiError } from "../api-error.ts";
import { countTokens } from "../chat-response.ts";
import { type Delivery, drawLatencyMs, wholeBody } from "../delivery.ts";
import { drawsFrom } from "../draws.ts";
import { answerAs, answerOnce, type Call } from "../exchange.ts";
import { textKey } from "../responders/responder.ts";
import type { Simulation } from "../simulation.ts";
import { writeWave } from "./wave.ts";

/** Answers `POST /v1/audio/speech`. */
export function answerSpeech(simulation: Simulation, call: Call): Delivery {
  return answerAs(simulation, call, parseSpeech(call.body), ({ input, voice }, model) => {
    const key = textKey(`${voice}\n${input}`);
    return answerOnce(simulation, call, { model, key, id: null }, (number) => {
      const draws = drawsFrom("latency", model.seed ?? simulation.seed, model.id, key, number);
      const latencyMs = drawLatencyMs(model, countTokens(input), simulation.latencyScale, draws);
      const delivery = wholeBody(writeWave(input), "audio/wav", latencyMs);
      return { delivery, latencyMs, mistakes: [] };
    });
  });
}

/** Source: https://platform.openai.com/docs/api-reference/audio/createSpeech */
const longestInput = 4_096;

/** A parsed speech request. */
interface ParsedSpeech {
  model: string;
  input: string;
  voice: string;
}

/** Parses a speech request; errors are OpenAI's. WAV is the only format. */
function parseSpeech(body: unknown): Result<ParsedSpeech, ApiError> {
  if (!isJsonObject(body) || typeof body["model"] !== "string") {
    return err(apiError(400, "you must provide a model parameter"));
  }
  const { model, input, voice, response_format: format = "wav" } = body;
  if (typeof input !== "string" || input === "") return err(wrong("input", "a non-empty string"));
  if (input.length > longestInput) {
    return err(wrong("input", `a string of at most ${longestInput} characters`));
  }
  if (typeof voice !== "string" || voice === "") return err(wrong("voice", "the name of a voice"));
  if (format !== "wav") return err(wrong("response_format", "'wav'"));
  return ok({ model, input, voice });
}

const wrong = (param: string, expected: string): ApiError =>
  apiError(400, `Invalid '${param}': expected ${expected}.`, { param, code: "invalid_value" });
