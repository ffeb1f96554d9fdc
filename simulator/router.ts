import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { answerChat, chatDialect } from "./answer-chat.ts";
import { answerEmbeddings } from "./answer-embeddings.ts";
import { type ApiError, apiError, openaiError, wrongKeyError } from "./api-error.ts";
import { answerBatches, isOfBatches } from "./batches/answer-batches.ts";
import { type Delivery, deliver, errorBody, jsonBody } from "./delivery.ts";
import { type Call, refuse } from "./exchange.ts";
import { parseFaults } from "./faults/fault-rates.ts";
import { models } from "./models.ts";
import type { Dialect } from "./protocols/dialect.ts";
import { generateDialect, generateModels, generatePath } from "./protocols/generate-content.ts";
import { messagesDialect, messagesModels } from "./protocols/messages.ts";
import { responsesDialect } from "./protocols/responses.ts";
import type { Simulation } from "./simulation.ts";
import { answerSpeech } from "./speech/answer-speech.ts";

/** The key that is always rejected. */
const wrongKey = "sk-wrong";

const dialects: Record<string, Dialect> = {
  "/v1/chat/completions": chatDialect,
  "/v1/responses": responsesDialect,
  "/v1/messages": messagesDialect,
};

const dialectAt = (path: string) => (generatePath.test(path) ? generateDialect : dialects[path]);

const otherPosts: Record<string, typeof answerChat> = {
  "/v1/embeddings": answerEmbeddings,
  "/v1/audio/speech": answerSpeech,
};

const gets: Record<string, (simulation: Simulation, headers: IncomingHttpHeaders) => unknown> = {
  "/healthz": () => ({ status: "ok" }),
  "/__log": ({ log: { entries } }) => ({ entries }),
  "/v1beta/models": (simulation) => generateModels(listed(simulation)),
  "/v1/models": (simulation, { "anthropic-version": version }) =>
    version === undefined ? openaiModels(simulation) : messagesModels(listed(simulation)),
};

/** The catalogue and its aliases. */
const listed = ({ offered }: Simulation) => [
  ...models.map(({ id, prices, profile }) => ({ id, prices, profile, ends: null })),
  ...Array.from(offered(), ([id, { ends = null }]) => ({
    id,
    prices: null,
    profile: "basic",
    ends,
  })),
];

const openaiModels = (simulation: Simulation) => ({
  object: "list",
  data: listed(simulation).map(({ id, prices, ends }) => ({
    id,
    object: "model",
    created: 1_767_225_600,
    owned_by: "simulator",
    shutdown_date: ends,
    pricing: prices,
  })),
});

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
      ? jsonBody(JSON.stringify(get(simulation, request.headers)))
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
  const ofBatches = isOfBatches(path);
  const dialect = dialectAt(path);
  const answer = dialect === undefined ? otherPosts[path] : answerChat;
  if (!ofBatches && (method !== "POST" || answer === undefined)) {
    return errorBody(openaiError(apiError(404, `Invalid URL (${method} ${path})`)));
  }
  const sent = headers.authorization ?? headers["x-api-key"] ?? headers["x-goog-api-key"];
  const apiKey = String(sent ?? "").replace(/^Bearer\s*/i, "");
  const onClosed = (listener: () => void) => void response.once("close", listener);
  const call: Call = {
    path,
    dialect: dialect ?? chatDialect,
    body: null,
    apiKey,
    faults: null,
    onClosed,
  };
  const keyError = checkKey(simulation, apiKey, sent !== undefined);
  if (keyError !== null) return refuse(simulation, call, keyError);
  if (ofBatches || answer === undefined) {
    const request = { method: method ?? "GET", path, headers, bytes };
    return answerBatches(simulation, request, (at) => dialectAt(at) ?? chatDialect);
  }
  try {
    const faults = headers["x-sim-faults"];
    call.faults = faults === undefined ? null : parseFaults(String(faults));
    call.body = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    const reason = error instanceof SyntaxError ? notJson : (error as Error).message;
    return refuse(simulation, call, apiError(400, reason));
  }
  return answer(simulation, call);
}

const notJson = "We could not parse the JSON body of your request.";

function checkKey(simulation: Simulation, apiKey: string, isSent: boolean): ApiError | null {
  const isAccepted =
    simulation.apiKey === null
      ? apiKey !== wrongKey && (apiKey !== "" || !isSent)
      : apiKey === simulation.apiKey;
  return isAccepted ? null : wrongKeyError(apiKey);
}
