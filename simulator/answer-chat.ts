import { openaiError } from "./api-error.ts";
import {
  type Completion,
  chatResponse,
  chatStream,
  countUsage,
  finishCompletion,
  type ResponseFacts,
} from "./chat-response.ts";
import { type Delivery, drawLatencyMs, jsonBody } from "./delivery.ts";
import { drawsFrom } from "./draws.ts";
import { answerAs, answerOnce, type Call, type ModelReply, refuse } from "./exchange.ts";
import { spoilCompletion } from "./faults/delivery-faults.ts";
import type { FaultKind } from "./faults/fault-rates.ts";
import { scaleRates } from "./mistakes/mistakes.ts";
import type { NamedModel } from "./model-name.ts";
import { type ParsedChat, parseChat } from "./parse-chat.ts";
import type { Dialect } from "./protocols/dialect.ts";
import { type Claim, textKey } from "./responders/responder.ts";
import type { Simulation } from "./simulation.ts";
import { refuseRequest } from "./strictness/profiles.ts";

/** Share of a streamed answer's duration before the first byte. */
const firstByteShare = 0.3;

/** Maximum number of writes per stream, and minimum ms between them. */
const maxWrites = 20;
const minGapMs = 5;

/** OpenAI's Chat Completions. */
export const chatDialect: Dialect = {
  toChat: (body) => body,
  reply: chatResponse,
  stream: chatStream,
  error: openaiError,
};

/** Answers `POST /v1/chat/completions`, or the equivalent route of another interface. */
export function answerChat(simulation: Simulation, call: Call): Delivery {
  const { dialect } = call;
  const parsed = parseChat(dialect.toChat(call.body, call.path));
  return answerAs(simulation, call, parsed, (request, model) => {
    const claim = simulation.claim(request);
    const { key, id } = claim;
    const refusal = refuseRequest(model, request);
    if (refusal !== null) return refuse(simulation, call, refusal, model.name, id ?? key);
    return answerOnce(simulation, call, { model, key, id }, (number, fault) =>
      complete(simulation, dialect, model, request, claim, number, fault),
    );
  });
}

function complete(
  simulation: Simulation,
  dialect: Dialect,
  model: NamedModel,
  request: ParsedChat,
  claim: Claim,
  attemptNumber: number,
  fault: FaultKind | null,
): ModelReply {
  const seed = model.seed ?? simulation.seed;
  const luck = request.temperature > 0 ? attemptNumber : 0;
  const identity = [seed, model.id, claim.key, request.seed, luck] as const;
  const draws = drawsFrom(...identity);
  const self = `${seed}\n${model.id}`;
  const effort =
    model.profile === "reasoning" ? effortOf(request.effort) : { errors: 1, hidden: 0 };
  const reply = thinking(
    claim.answer({
      rates: scaleRates(model.rates[request.enforcement], effort.errors),
      draws,
      self,
    }),
    model.thoughts,
  );
  const completion = spoilCompletion(finishCompletion(reply, request.maxTokens), fault, draws);
  const facts: ResponseFacts = {
    request,
    key: textKey(identity.join("\n")),
    hiddenPerToken: effort.hidden,
    source: model.source,
    draws,
  };
  const tokens = countUsage(completion, facts).completion_tokens;
  const latencyDraws = drawsFrom("latency", seed, model.id, claim.key, attemptNumber);
  const latencyMs = drawLatencyMs(model, tokens, simulation.latencyScale, latencyDraws);
  const delivery = request.stream
    ? streamed(dialect.stream(completion, facts), latencyMs)
    : jsonBody(dialect.reply(completion, facts), latencyMs);
  // OpenAI's header for the processing time.
  delivery.headers["openai-processing-ms"] = Math.floor(delivery.firstMs);
  if (model.source !== null) delivery.headers["x-inference-source"] = model.source;
  return { delivery, latencyMs, mistakes: completion.mistakes };
}

/** Effects of an effort on a reasoning model: a factor for its mistakes, and hidden tokens per visible token. */
const efforts: Readonly<Record<string, { errors: number; hidden: number }>> = {
  none: { errors: 4, hidden: 0 },
  minimal: { errors: 3, hidden: 0.5 },
  low: { errors: 2, hidden: 1 },
  medium: { errors: 1, hidden: 2 },
  high: { errors: 0.5, hidden: 5 },
  xhigh: { errors: 0.4, hidden: 8 },
  max: { errors: 0.3, hidden: 12 },
};

const effortOf = (asked: string | null) => efforts[asked ?? "medium"] ?? efforts["medium"]!;

/** A wrong draft for every suite: reveals a client that reads thoughts as the answer. */
const thoughts =
  'First try: {"name": "Bob"}\nbasic_info::name::Bob\n[{"name": "none", "arguments": {}}]\nHowever, that is wrong.';

function thinking(said: Completion, place: NamedModel["thoughts"]): Completion {
  if (place === null) return said;
  if (place === "field") return { ...said, thoughts };
  return { ...said, content: `<think>\n${thoughts}\n</think>\n\n${said.content ?? ""}` };
}

function streamed(events: readonly string[], latencyMs: number): Delivery {
  const spreadMs = latencyMs * (1 - firstByteShare);
  const writes = Math.max(1, Math.min(maxWrites, events.length, Math.floor(spreadMs / minGapMs)));
  const at = (index: number) => Math.floor((index * events.length) / writes);
  return {
    status: 200,
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" },
    parts: Array.from({ length: writes }, (_, i) => events.slice(at(i), at(i + 1)).join("")),
    firstMs: writes > 1 ? latencyMs * firstByteShare : latencyMs,
    gapMs: writes > 1 ? spreadMs / (writes - 1) : 0,
    ending: "end",
  };
}
