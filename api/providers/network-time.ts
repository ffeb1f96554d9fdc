import { z } from "zod";
import { isJsonObject } from "#shared/contracts/json.ts";
import { headersAt } from "./guarded-fetch.ts";

/**
 * Headers in which providers say how long they worked until they sent them, ms: OpenAI and Azure, those behind Envoy, xAI.
 */
const workHeaders = ["openai-processing-ms", "x-envoy-upstream-service-time", "x-metrics-e2e-ms"];

/** Groq reports it in the usage, s: the wait in its queue, and the work until the last token. */
const workSchema = z.object({
  usage: z.object({ queue_time: z.number().nonnegative(), total_time: z.number().nonnegative() }),
});

/**
 * The part of a request's time that is not the endpoint's work, ms: the way there and back, and what else lies between.
 * Null if the endpoint does not say how long it worked, or says more than the request took. `data`: its body.
 */
export function networkMsOf(
  response: Response,
  data: unknown,
  { sentAt, endedAt }: { sentAt: number; endedAt: number },
): number | null {
  const told = mayTell(data) ? workSchema.safeParse(data).data : undefined;
  if (told)
    return remainder(endedAt - sentAt, 1_000 * (told.usage.queue_time + told.usage.total_time));
  const header = workHeaders.map((name) => response.headers.get(name)).find((one) => one !== null);
  const arrivedAt = headersAt(response);
  if (header === undefined || header === "" || arrivedAt === null) return null;
  return remainder(arrivedAt - sentAt, Number(header));
}

/** Asked first, because a refused parse takes long. */
const mayTell = (data: unknown): boolean =>
  isJsonObject(data) && isJsonObject(data["usage"]) && "queue_time" in data["usage"];

const remainder = (wholeMs: number, workedMs: number): number | null =>
  workedMs >= 0 && workedMs <= wholeMs ? wholeMs - workedMs : null;
