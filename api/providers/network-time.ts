import { z } from "zod";
import { isJsonObject } from "#shared/contracts/json.ts";
import { headersAt } from "./guarded-fetch.ts";

/** Headers with the provider's processing time, ms: OpenAI and Azure, services behind Envoy, xAI. */
const workHeaders = ["openai-processing-ms", "x-envoy-upstream-service-time", "x-metrics-e2e-ms"];

/** Groq reports seconds in the usage: the time in its queue, and the time until the last token. */
const workSchema = z.object({
  usage: z.object({ queue_time: z.number().nonnegative(), total_time: z.number().nonnegative() }),
});

/**
 * The part of a request's time that is not the endpoint's processing, ms: the network in both directions, and anything
 * in between. Null if the endpoint reports no processing time, or more than the request took. `data`: its body.
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

/** Whether parsing can succeed; checked first, because a failed parse is slow. */
const mayTell = (data: unknown): boolean =>
  isJsonObject(data) && isJsonObject(data["usage"]) && "queue_time" in data["usage"];

const remainder = (wholeMs: number, workedMs: number): number | null =>
  workedMs >= 0 && workedMs <= wholeMs ? wholeMs - workedMs : null;
