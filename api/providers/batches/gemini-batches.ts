import { asObject, isJsonObject, type Json, type JsonObject } from "#shared/contracts/json.ts";
import {
  type BatchApi,
  type BatchLook,
  type BatchResult,
  cancelled,
  expired,
  lost,
  MOST_CHARACTERS,
} from "./batch-api.ts";
import { type BatchHttp, httpError, objectsIn, pathId } from "./batch-http.ts";

/** Gemini takes 20 MB in one call; the results come in one reply, which must fit into memory. */
const MOST_REQUESTS = 1_000;

/**
 * Gemini's batches: requests in one call, and an operation that ends with the results.
 * Source: ai.google.dev, gemini-api/docs/batch-api and api/batch-api.
 */
export const geminiBatches: BatchApi = {
  most: { requests: MOST_REQUESTS, characters: MOST_CHARACTERS },
  bodyOf: withOwnSchema,

  async submit(http, { model }, { id, items }) {
    const name = model.replace(/^models\//, "");
    const requests = items.map(
      ({ id: key, text }) =>
        `{"request":${text.slice(0, -1)},"model":${JSON.stringify(`models/${name}`)}},"metadata":{"key":"${key}"}}`,
    );
    const body = `{"batch":{"displayName":"${id}","inputConfig":{"requests":{"requests":[${requests.join()}]}}}}`;
    const path = `/models/${encodeURIComponent(name)}:batchGenerateContent`;
    return pathId((await http.json("POST", path, body))["name"]);
  },

  async find(http, { id }) {
    const list = await http.json("GET", "/batches?pageSize=100");
    const found = objectsIn(list["operations"]).find(
      ({ metadata }) => asObject(metadata)["displayName"] === id,
    );
    return found === undefined ? null : pathId(found["name"]);
  },

  async look(http, providerId, ids): Promise<BatchLook> {
    const operation = await http.json("GET", `/${providerId}`);
    const batch = asObject(operation["metadata"]);
    const state = String(batch["state"]).replace(/^\w+_STATE_/, "");
    const hasEnded = ["SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"].includes(state);
    if (!hasEnded && operation["done"] !== true) return { kind: "open" };
    return {
      kind: "ended",
      missing:
        state === "EXPIRED"
          ? expired
          : state === "CANCELLED"
            ? cancelled
            : (statusFailure(http, operation["error"]) ?? lost),
      results: () => resultsIn(http, operation, ids),
      files: [],
    };
  },

  async cancel(http, providerId) {
    await http.json("POST", `/${providerId}:cancel`, {});
  },
};

async function* resultsIn(
  http: BatchHttp,
  { response, metadata }: JsonObject,
  ids: readonly string[],
): AsyncIterable<BatchResult> {
  const at = (output: unknown) => asObject(asObject(output)["inlinedResponses"]);
  const own = at(response)["inlinedResponses"];
  const inlined = objectsIn(own ?? at(asObject(metadata)["output"])["inlinedResponses"]);
  for (const [i, one] of inlined.entries()) {
    // Results are in the order of the requests; some versions omit their metadata.
    const id = String(asObject(one["metadata"])["key"] ?? ids[i]);
    const failure = statusFailure(http, one["error"]);
    yield failure === null ? { id, status: 200, body: one["response"] } : { id, failure };
  }
}

/** HTTP statuses for the codes of google.rpc. */
const statuses: Readonly<Record<number, number>> = {
  3: 400,
  4: 408,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  14: 503,
  16: 401,
};

function statusFailure(http: BatchHttp, error: unknown) {
  if (!isJsonObject(error)) return null;
  const code = Number(error["code"]);
  return http.failure(httpError(statuses[code] ?? (code >= 400 ? code : 500), { error }));
}

/**
 * In batches Gemini ignores `responseJsonSchema`, which live requests have, and follows `responseSchema`, a part of
 * OpenAPI's schema.
 * Source: crmne/ruby_llm, protocols/gemini/batches.rb, recorded 2026-08-19.
 */
function withOwnSchema(body: JsonObject): JsonObject {
  const { responseJsonSchema, ...config } = asObject(body["generationConfig"]);
  if (responseJsonSchema === undefined) return body;
  return {
    ...body,
    generationConfig: { ...config, responseSchema: ownSchema(responseJsonSchema) },
  };
}

const unknownKeywords = new Set(["$schema", "$id", "$comment", "additionalProperties", "strict"]);

function ownSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(ownSchema);
  if (!isJsonObject(schema)) return schema;
  const fields = Object.entries(schema)
    .filter(([name]) => !unknownKeywords.has(name))
    .map(([name, value]): [string, Json] => [
      name,
      name === "properties" ? ownProperties(value) : ownSchema(value),
    ]);
  return withNull(Object.fromEntries(fields));
}

const ownProperties = (properties: Json): Json =>
  isJsonObject(properties)
    ? Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, ownSchema(one)]))
    : properties;

/** Converts a list of types with null to a nullable type. */
function withNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  const types = type.filter((one) => one !== "null");
  const nullable = types.length < type.length;
  const some =
    types.length === 1 ? { type: types[0]! } : { anyOf: types.map((one) => ({ type: one })) };
  const { type: _, ...rest } = schema;
  return { ...rest, ...some, ...(nullable && { nullable }) };
}
