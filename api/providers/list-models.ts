import type OpenAI from "openai";
import { type ListedModel, modelsPath, readModels } from "#shared/connection/listed-models.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { type RequestBounds, requestOnce } from "./request-once.ts";

/** The models that a provider lists (`GET /models`); a string states why it lists none. Never throws. */
export async function listModels(
  endpoint: Endpoint,
  timeoutMs: number,
  now: () => number,
): Promise<ListedModel[] | string> {
  const kind = {
    name: "a list of models",
    send: async (client: OpenAI, bounds: RequestBounds) =>
      readModels(await client.get(modelsPath(endpoint), bounds)),
  };
  const attempt = await requestOnce(endpoint, kind, timeoutMs, now);
  return attempt.ok ? attempt.value.value : `${attempt.failure.class}: ${attempt.failure.message}`;
}
