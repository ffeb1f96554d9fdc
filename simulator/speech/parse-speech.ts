import { isJsonObject } from "../../shared/contracts/json.ts";
import { err, ok, type Result } from "../../shared/contracts/result.ts";
import { type ApiError, apiError } from "../api-error.ts";

/** Source: https://platform.openai.com/docs/api-reference/audio/createSpeech */
const longestInput = 4_096;

/** A request to speak a text, read once. */
export interface ParsedSpeech {
  model: string;
  input: string;
  voice: string;
}

/** Reads a speech request, or says what is wrong with it as OpenAI does. WAV is the only format. */
export function parseSpeech(body: unknown): Result<ParsedSpeech, ApiError> {
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
