import { type Delivery, jsonBody } from "./delivery.ts";
import { drawsFrom } from "./draws.ts";
import { embeddingsResponse, parseEmbeddings } from "./embeddings.ts";
import { attempt, type Call, nameError, refuse } from "./exchange.ts";
import { drawLatencyMs } from "./latency.ts";
import { textKey } from "./players/player.ts";
import type { Simulation } from "./simulation.ts";

/** Answers `POST /v1/embeddings`. */
export function answerEmbeddings(simulation: Simulation, call: Call): Delivery {
  const parsed = parseEmbeddings(call.body);
  if (!parsed.ok) return refuse(simulation, call, parsed.error);
  const request = parsed.value;
  const found = simulation.model(request.model);
  if (!found.ok)
    return refuse(simulation, call, nameError(request.model, found.error), request.model);
  const model = found.value;
  const key = textKey(request.texts.join("\n"));
  return attempt(simulation, call, { model, key, id: null }, (number) => {
    const draws = drawsFrom("latency", model.seed ?? simulation.seed, model.id, key, number);
    const latencyMs = drawLatencyMs(model, 0, simulation.latencyScale, draws);
    return { delivery: jsonBody(embeddingsResponse(request), latencyMs), latencyMs, mistakes: [] };
  });
}
