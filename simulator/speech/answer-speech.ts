import { type Delivery, wholeBody } from "../delivery.ts";
import { drawsFrom } from "../draws.ts";
import { attempt, type Call, nameError, refuse } from "../exchange.ts";
import { drawLatencyMs } from "../latency.ts";
import { textKey } from "../players/player.ts";
import type { Simulation } from "../simulation.ts";
import { countTokens } from "../tokens.ts";
import { parseSpeech } from "./parse-speech.ts";
import { writeWave } from "./wave.ts";

/** Answers `POST /v1/audio/speech`. */
export function answerSpeech(simulation: Simulation, call: Call): Delivery {
  const parsed = parseSpeech(call.body);
  if (!parsed.ok) return refuse(simulation, call, parsed.error);
  const { model: name, input, voice } = parsed.value;
  const found = simulation.model(name);
  if (!found.ok) return refuse(simulation, call, nameError(name, found.error), name);
  const model = found.value;
  const key = textKey(`${voice}\n${input}`);
  return attempt(simulation, call, { model, key, id: null }, (number) => {
    const draws = drawsFrom("latency", model.seed ?? simulation.seed, model.id, key, number);
    const latencyMs = drawLatencyMs(model, countTokens(input), simulation.latencyScale, draws);
    const delivery = wholeBody(writeWave(input), "audio/wav", latencyMs);
    return { delivery, latencyMs, mistakes: [] };
  });
}
