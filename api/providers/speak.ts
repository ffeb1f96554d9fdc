import type OpenAI from "openai";
import type { Endpoint } from "#shared/contracts/submission.ts";
import { type Attempt, type RequestBounds, requestOnce } from "./request-once.ts";

/** A recording, base64. */
export interface Recording {
  data: string;
  format: "wav";
}

/** One of the voices that every text-to-speech model of OpenAI has. */
const VOICE = "alloy";
/** Bytes turned into text at once: arguments of one call are limited. */
const PIECE = 0x8000;

/** One request for speech; never throws. */
export function speakOnce(
  endpoint: Endpoint,
  text: string,
  timeoutMs: number,
  now: () => number,
): Promise<Attempt<{ value: Recording; latencyMs: number }>> {
  const kind = {
    name: "a recording",
    async send(client: OpenAI, bounds: RequestBounds): Promise<Recording | null> {
      const body = { model: endpoint.model, input: text, voice: VOICE, response_format: "wav" };
      // Of a binary body the SDK bounds the headers alone.
      const signal = AbortSignal.timeout(bounds.timeout);
      const response = await client.audio.speech.create(body as never, { ...bounds, signal });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return isWav(bytes) ? { data: base64(bytes), format: "wav" } : null;
    },
  };
  return requestOnce(endpoint, kind, timeoutMs, now);
}

/** RIFF header. Source: Multimedia Programming Interface and Data Specifications 1.0, 1991. */
const isWav = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(0, 4)) === "RIFF" &&
  String.fromCharCode(...bytes.subarray(8, 12)) === "WAVE";

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += PIECE) {
    text += String.fromCharCode(...bytes.subarray(i, i + PIECE));
  }
  return btoa(text);
}
