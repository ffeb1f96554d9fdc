import type { IncomingMessage, ServerResponse } from "node:http";
import { answerChat } from "./answer-chat.ts";
import { answerEmbeddings } from "./answer-embeddings.ts";
import { type ApiError, apiError, wrongKeyError } from "./api-error.ts";
import { type Delivery, deliver, errorBody, jsonBody } from "./delivery.ts";
import { type Call, refuse } from "./exchange.ts";
import { parseFaults } from "./faults/fault-rates.ts";
import { models } from "./models.ts";
import { generateDialect, generatePath } from "./protocols/generate-content.ts";
import { messagesDialect } from "./protocols/messages.ts";
import { responsesDialect } from "./protocols/responses.ts";
import type { Simulation } from "./simulation.ts";
import { answerSpeech } from "./speech/answer-speech.ts";

/** The key that is always rejected. */
const wrongKey = "sk-wrong";

const posts: Record<string, (simulation: Simulation, call: Call) => Delivery> = {
  "/v1/chat/completions": answerChat,
  "/v1/embeddings": answerEmbeddings,
  "/v1/audio/speech": answerSpeech,
  "/v1/responses": (simulation, call) => answerChat(simulation, call, responsesDialect),
  "/v1/messages": (simulation, call) => answerChat(simulation, call, messagesDialect),
};

const generate: (typeof posts)[string] = (simulation, call) =>
  answerChat(simulation, call, generateDialect);

const postAt = (path: string) => (generatePath.test(path) ? generate : posts[path]);

const gets: Record<string, (simulation: Simulation) => unknown> = {
  "/healthz": () => ({ status: "ok" }),
  "/__log": ({ log }) => ({ models: log.counts() }),
  "/v1/models": (simulation) => ({
    object: "list",
    data: listed(simulation).map(({ id, prices, ends }) => ({
      id,
      object: "model",
      created: 1_767_225_600,
      owned_by: "simulator",
      shutdown_date: ends,
      pricing: prices,
    })),
  }),
  "/v1beta/models": (simulation) => ({
    models: listed(simulation).map(({ id }) => ({ name: `models/${id}`, displayName: id })),
  }),
};

/** The catalogue and its aliases. */
const listed = ({ offered }: Simulation) => [
  ...models.map(({ id, prices }) => ({ id, prices, ends: null })),
  ...[...offered()].map(([id, { ends = null }]) => ({ id, prices: null, ends })),
];

/** Answers every request to the simulator. */
export function routeRequest(
  simulation: Simulation,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const arrivedAt = performance.now();
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const get = request.method === "GET" ? gets[path] : undefined;
    const delivery = get
      ? jsonBody(JSON.stringify(get(simulation)))
      : answerPost(simulation, path, request, response, Buffer.concat(chunks));
    deliver(response, delivery, arrivedAt);
  });
}

function answerPost(
  simulation: Simulation,
  path: string,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): Delivery {
  const answer = method === "POST" ? postAt(path) : undefined;
  if (answer === undefined) return errorBody(apiError(404, `Invalid URL (${method} ${path})`));
  const sent = headers.authorization ?? headers["x-api-key"] ?? headers["x-goog-api-key"];
  const apiKey = String(sent ?? "").replace(/^Bearer\s*/i, "");
  const onClosed = (listener: () => void) => void response.once("close", listener);
  const call: Call = { path, body: null, apiKey, faults: null, onClosed };
  const keyError = checkKey(simulation, apiKey, sent !== undefined);
  if (keyError !== null) return refuse(simulation, call, keyError);
  try {
    call.faults = parseFaultHeader(headers["x-sim-faults"]);
    call.body = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    const reason = error instanceof SyntaxError ? notJson : (error as Error).message;
    return refuse(simulation, call, apiError(400, reason));
  }
  return answer(simulation, call);
}

const notJson = "We could not parse the JSON body of your request.";

function parseFaultHeader(header: string | string[] | undefined) {
  return header === undefined ? null : parseFaults(String(header));
}

function checkKey(simulation: Simulation, apiKey: string, isSent: boolean): ApiError | null {
  const isAccepted =
    simulation.apiKey === null
      ? apiKey !== wrongKey && (apiKey !== "" || !isSent)
      : apiKey === simulation.apiKey;
  return isAccepted ? null : wrongKeyError(apiKey);
}
