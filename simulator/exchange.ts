import type { Result } from "../shared/contracts/result.ts";
import { type ApiError, apiError, unknownModelError } from "./api-error.ts";
import { type Delivery, errorBody } from "./delivery.ts";
import { drawsFrom } from "./draws.ts";
import { spoilDelivery } from "./faults/delivery-faults.ts";
import { type FaultKind, type FaultRates, type Faults, pickFault } from "./faults/fault-rates.ts";
import type { NamedModel, NameError } from "./model-name.ts";
import type { Dialect } from "./protocols/dialect.ts";
import type { LogEntry } from "./request-log.ts";
import type { Simulation } from "./simulation.ts";

/** A request from the router. */
export interface Call {
  path: string;
  /** Format of errors and answers; embeddings and speech have the errors of Chat Completions. */
  dialect: Dialect;
  body: unknown;
  /** Empty if none was sent. */
  apiKey: string;
  /** Faults from its header; null without the header. */
  faults: Faults | null;
  /** Calls back when the exchange ends, in any way. */
  onClosed(listener: () => void): void;
}

/** The model and the sample of a request. */
export interface Subject {
  model: NamedModel;
  key: string;
  id: string | null;
}

/** A model's reply to a request. */
export interface ModelReply {
  delivery: Delivery;
  latencyMs: number;
  mistakes: LogEntry["mistakes"];
}

/** Gets the model's answer, applies the fault drawn for this attempt, and logs it. */
export function answerOnce(
  simulation: Simulation,
  call: Call,
  subject: Subject,
  make: (attemptNumber: number, fault: FaultKind | null) => ModelReply,
): Delivery {
  const { model, key, id } = subject;
  const { log } = simulation;
  const inFlight = log.opened(model.name);
  call.onClosed(() => log.closed(model.name));
  const number = simulation.nextAttempt(model.name, key);
  const fault = inFlight > model.maxInFlight ? "429" : drawFault(simulation, call, subject, number);
  const { delivery, latencyMs, mistakes } = make(number, fault);
  const spoilt = spoilDelivery(delivery, fault, { ...simulation, ...call, model });
  const sent = spoilt.ending !== "hang";
  log.add({
    ...entryOf(call, model.name, id ?? key),
    attempt: number,
    status: sent ? spoilt.status : null,
    fault,
    latencyMs: sent ? Math.max(spoilt.firstMs, fault === null ? latencyMs : 0) : null,
    mistakes,
  });
  return spoilt;
}

/** Rejects a request before a model gets it, and logs it. */
export function refuse(
  { log }: Simulation,
  call: Call,
  error: ApiError,
  model = "unknown",
  sample: string | null = null,
): Delivery {
  const sent = call.dialect.error(error);
  log.add({ ...entryOf(call, model, sample), status: sent.status });
  return errorBody(sent);
}

/** Answers a parsed request by its model, or refuses it. */
export function answerAs<Request extends { model: string }>(
  simulation: Simulation,
  call: Call,
  parsed: Result<Request, ApiError>,
  answer: (request: Request, model: NamedModel) => Delivery,
): Delivery {
  if (!parsed.ok) return refuse(simulation, call, parsed.error);
  const { model: name } = parsed.value;
  const found = simulation.model(name);
  if (!found.ok) return refuse(simulation, call, nameError(name, found.error), name);
  return answer(parsed.value, found.value);
}

/** The error for an unusable model name: 404, or 400 for an invalid override. */
function nameError(name: string, error: NameError): ApiError {
  return error.kind === "unknown"
    ? unknownModelError(name)
    : apiError(400, `Invalid model name '${name}': ${error.reason}.`, { param: "model" });
}

function drawFault(
  simulation: Simulation,
  call: Call,
  { model, key }: Subject,
  attemptNumber: number,
): FaultKind | null {
  const { passing, lasting } = call.faults ?? model.faults ?? simulation.faults;
  const seed = model.seed ?? simulation.seed;
  const draw = (rates: FaultRates, ...parts: (string | number)[]) =>
    Object.keys(rates).length === 0
      ? null
      : pickFault(rates, drawsFrom("fault", seed, model.id, key, ...parts).unit());
  return draw(lasting, "lasting") ?? draw(passing, attemptNumber);
}

function entryOf(call: Call, model: string, sample: string | null): LogEntry {
  return {
    time: new Date().toISOString(),
    path: call.path,
    model,
    sample,
    attempt: 0,
    authorized: call.apiKey !== "",
    status: null,
    fault: null,
    latencyMs: 0,
    mistakes: [],
  };
}
