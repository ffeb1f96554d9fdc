import type OpenAI from "openai";
import { z } from "zod";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { type Attempt, type RequestBounds, requestOnce } from "./request-once.ts";

/** Vectors of texts in order, and the endpoint's token count. */
export interface Embedded {
  vectors: number[][];
  inputTokens: number | null;
}

const embeddingsSchema = z.object({
  data: z
    .array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1) }))
    .min(1),
  usage: z
    .object({ prompt_tokens: z.int().nonnegative().nullish().catch(null) })
    .nullish()
    .catch(null),
});

/** One embeddings request; never throws. */
export function embedOnce(
  endpoint: Endpoint,
  texts: readonly string[],
  timeoutMs: number,
  now: () => number,
): Promise<Attempt<{ value: Embedded; latencyMs: number }>> {
  const kind = {
    name: "a list of embeddings",
    async send(client: OpenAI, bounds: RequestBounds) {
      // With an explicit format the SDK returns the reply unchanged. Otherwise it requests base64, which few servers
      // support.
      const body = { model: endpoint.model, input: [...texts], encoding_format: "float" as const };
      return readEmbeddings(await client.embeddings.create(body, bounds), texts.length);
    },
  };
  return requestOnce(endpoint, kind, timeoutMs, now);
}

/** Null if a vector is missing. */
function readEmbeddings(body: unknown, count: number): Embedded | null {
  const parsed = embeddingsSchema.safeParse(body);
  if (!parsed.success) return null;
  const byIndex = new Map(parsed.data.data.map(({ index, embedding }) => [index, embedding]));
  const vectors = Array.from({ length: count }, (_, i) => byIndex.get(i));
  if (vectors.some((vector) => vector === undefined)) return null;
  return { vectors: vectors as number[][], inputTokens: parsed.data.usage?.prompt_tokens ?? null };
}

/** A recording in base64, and how long it is. */
interface Spoken {
  recording: { data: string; format: "wav" };
  seconds: number;
}

/** A voice that all text-to-speech models of OpenAI have. */
const VOICE = "alloy";
/** Bytes converted per call: the number of arguments is limited. */
const PIECE = 0x8000;

/** One speech request; never throws. */
export function speakOnce(
  endpoint: Endpoint,
  text: string,
  timeoutMs: number,
  now: () => number,
): Promise<Attempt<{ value: Spoken; latencyMs: number }>> {
  const kind = {
    name: "a recording",
    async send(client: OpenAI, bounds: RequestBounds): Promise<Spoken | null> {
      const body = { model: endpoint.model, input: text, voice: VOICE, response_format: "wav" };
      // For binary bodies the SDK's timeout covers only the headers.
      const signal = AbortSignal.timeout(bounds.timeout);
      const response = await client.audio.speech.create(body as never, { ...bounds, signal });
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (!isWav(bytes)) return null;
      return { recording: { data: base64(bytes), format: "wav" }, seconds: secondsOf(bytes) };
    },
  };
  return requestOnce(endpoint, kind, timeoutMs, now);
}

/** RIFF header. Source: Multimedia Programming Interface and Data Specifications 1.0, 1991. */
const isWav = (bytes: Uint8Array): boolean =>
  String.fromCharCode(...bytes.subarray(0, 4)) === "RIFF" &&
  String.fromCharCode(...bytes.subarray(8, 12)) === "WAVE";

/** Bytes before the samples of a recording, and where among them its bytes per second are. Source: as above. */
const HEADER = 44;
const BYTES_PER_SECOND_AT = 28;

/** By the rate: streamed recordings do not know their length. 0 if the header is too short or has none. */
function secondsOf(bytes: Uint8Array): number {
  if (bytes.length <= HEADER) return 0;
  const rate = new DataView(bytes.buffer).getUint32(BYTES_PER_SECOND_AT, true);
  return rate === 0 ? 0 : (bytes.length - HEADER) / rate;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += PIECE) {
    text += String.fromCharCode(...bytes.subarray(i, i + PIECE));
  }
  return btoa(text);
}
