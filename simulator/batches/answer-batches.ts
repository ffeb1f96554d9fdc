import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject, parsedJson } from "../../shared/contracts/json.ts";
import { answerChat } from "../answer-chat.ts";
import { apiError, openaiError, rateLimitError } from "../api-error.ts";
import { bytesOf, type Delivery, errorBody, jsonBody, wholeBody } from "../delivery.ts";
import type { Call } from "../exchange.ts";
import type { Dialect } from "../protocols/dialect.ts";
import type { Simulation } from "../simulation.ts";
import { anthropicBatches } from "./anthropic-batches.ts";
import type { BatchInterface, BatchItem, BatchResult } from "./batch-desk.ts";
import { geminiBatches } from "./gemini-batches.ts";
import { mistralBatches } from "./mistral-batches.ts";
import { openaiBatches } from "./openai-batches.ts";

const interfaces = [openaiBatches, anthropicBatches, geminiBatches, mistralBatches];

/** A request about batches or files. */
export interface BatchRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

const filesPath = /^\/v1\/files(\/([\w-]+)(\/content)?)?$/;

/** Whether a path is about batches or files. */
export const isOfBatches = (path: string): boolean =>
  filesPath.test(path) ||
  interfaces.some((one) => patternsOf(one).some((known) => known?.test(path)));

/** Answers a request about batches or files. `dialectAt`: the interface of a path. */
export function answerBatches(
  simulation: Simulation,
  request: BatchRequest,
  dialectAt: (path: string) => Dialect,
): Delivery {
  const { method, path } = request;
  if (filesPath.test(path)) return answerFiles(simulation, request);
  const answer = (item: BatchItem) => answerItem(simulation, dialectAt, item);
  const api = interfaces.find((one) => patternsOf(one).some((known) => known?.test(path)));
  const reply = api && answerAbout(simulation, api, request, answer);
  return reply ?? notFound(method, path);
}

const patternsOf = ({ list, one, cancel, results, create: made }: BatchInterface) => [
  list,
  one,
  cancel,
  results,
  made,
];

/** Undefined for an unknown path. */
function answerAbout(
  simulation: Simulation,
  api: BatchInterface,
  request: BatchRequest,
  answer: (item: BatchItem) => BatchResult["reply"],
): Delivery | undefined {
  const { method, path } = request;
  const { batches, seed } = simulation;
  if (method === "POST" && (api.create ?? api.list).test(path)) {
    return create(simulation, api, request);
  }
  if (api.list.test(path)) {
    return json(api.listed(batches.list().map((one) => api.show(one, batches))));
  }
  const named = (pattern: RegExp | undefined) => pattern?.exec(path)?.[1];
  const id = named(api.one) ?? named(api.cancel) ?? named(api.results) ?? "";
  const batch = batches.get(id, seed, answer);
  if (batch === undefined) return undefined;
  if (api.lines && api.results?.test(path)) {
    return lines(
      api
        .lines(batch)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
  }
  if (api.cancel.test(path) && batch.results === null) batch.isCancelled = true;
  return json(api.show(batch, batches));
}

function create(simulation: Simulation, api: BatchInterface, { path, bytes }: BatchRequest) {
  const body = parsedJson(bytes.toString("utf8"));
  if (!isJsonObject(body)) return errorBody(openaiError(apiError(400, "The body is not JSON.")));
  const { batches, seed } = simulation;
  const { isBusy, isInvalid, isUnheard } = batches.nextFaults(seed);
  if (isBusy) return errorBody(openaiError(rateLimitError("batches", 1)));
  const batch = batches.add({ ...api.read(body, path, batches), isInvalid });
  const reply = json(api.show(batch, batches));
  return isUnheard ? { ...reply, parts: [], ending: "cut" as const } : reply;
}

function answerFiles({ batches }: Simulation, { method, path, headers, bytes }: BatchRequest) {
  const [, , id, content] = filesPath.exec(path) ?? [];
  if (method === "POST" && id === undefined) {
    const text = uploaded(headers["content-type"] ?? "", bytes.toString("utf8"));
    const file = batches.addFile(text);
    return json({ id: file, object: "file", purpose: "batch", bytes: text.length });
  }
  const text = batches.files.get(id ?? "");
  if (text === undefined) return notFound(method, path);
  if (method === "GET" && content !== undefined) return lines(text);
  if (method !== "DELETE") return notFound(method, path);
  batches.files.delete(id ?? "");
  return json({ id, object: "file", deleted: true });
}

/** The file of a form. */
function uploaded(contentType: string, body: string): string {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1] ?? "";
  const part = body.split(`--${boundary}`).find((one) => one.includes("filename=")) ?? "";
  return part.slice(part.indexOf("\r\n\r\n") + 4).replace(/\r\n$/, "");
}

const json = (value: object): Delivery => jsonBody(JSON.stringify(value));
const lines = (text: string): Delivery => wholeBody(text, "application/x-jsonl");
const notFound = (method: string, path: string): Delivery =>
  errorBody(openaiError(apiError(404, `Not found (${method} ${path})`)));

/** Answers a request as if it had come alone; null if it would hang. */
function answerItem(
  simulation: Simulation,
  dialectAt: (path: string) => Dialect,
  { path, body }: BatchItem,
): BatchResult["reply"] {
  const ends: (() => void)[] = [];
  const call: Call = {
    path,
    dialect: dialectAt(path),
    body,
    apiKey: "batch",
    faults: null,
    onClosed: (listener) => void ends.push(listener),
  };
  const { status, parts, ending } = answerChat(simulation, call);
  const read = ending === "end" ? parsedJson(bytesOf(parts).toString("utf8")) : undefined;
  for (const end of ends) end();
  if (ending === "hang") return null;
  const broken = { error: { message: "The request failed.", type: "server_error" } };
  return isJsonObject(read) ? { status, body: read } : { status: 500, body: broken };
}
