import { asObject } from "#shared/contracts/json.ts";
import {
  type BatchApi,
  type BatchLook,
  cancelled,
  expired,
  lost,
  MOST_CHARACTERS,
} from "./batch-api.ts";
import { httpError, objectsIn, pathId } from "./batch-http.ts";
import { resultsIn } from "./openai-batches.ts";

/** Mistral takes 10,000 requests in one call. */
const MOST_REQUESTS = 10_000;
const ended = ["SUCCESS", "FAILED", "TIMEOUT_EXCEEDED", "CANCELLED"];

/**
 * Mistral's batch jobs: requests in one call, results in two files.
 * Source: docs.mistral.ai, studio-api/batch-processing and api/endpoint/batch.
 */
export const mistralBatches: BatchApi = {
  most: { requests: MOST_REQUESTS, characters: MOST_CHARACTERS },
  bodyOf: (body) => body,

  async submit(http, { model }, { id, items }) {
    const requests = items.map(
      ({ id: customId, text }) => `{"custom_id":"${customId}","body":${text}}`,
    );
    const job = { endpoint: "/v1/chat/completions", model, metadata: { assay_batch: id } };
    const text = JSON.stringify({ ...job, timeout_hours: 24 });
    const body = `${text.slice(0, -1)},"requests":[${requests.join()}]}`;
    return pathId((await http.json("POST", "/batch/jobs", body))["id"]);
  },

  async find(http, { id }) {
    const list = await http.json("GET", "/batch/jobs?page_size=100&order_by=-created");
    const jobs = objectsIn(list["data"]);
    const found = jobs.find(({ metadata }) => asObject(metadata)["assay_batch"] === id);
    return found === undefined ? null : pathId(found["id"]);
  },

  async look(http, providerId): Promise<BatchLook> {
    const job = await http.json("GET", `/batch/jobs/${providerId}`);
    const { status, output_file, error_file, input_files } = job;
    if (!ended.includes(String(status))) return { kind: "open" };
    const files = [output_file, error_file].filter((file) => file != null).map(pathId);
    const inputs = Array.isArray(input_files) ? input_files.map(pathId) : [];
    const [error] = objectsIn(job["errors"]);
    const failed = error && http.failure(httpError(400, { error }));
    return {
      kind: "ended",
      missing:
        status === "TIMEOUT_EXCEEDED"
          ? expired
          : status === "CANCELLED"
            ? cancelled
            : (status === "FAILED" && failed) || lost,
      results: () => resultsIn(http, files),
      files: [...files, ...inputs].map((file) => `/files/${file}`),
    };
  },

  async cancel(http, providerId) {
    await http.json("POST", `/batch/jobs/${providerId}/cancel`, {});
  },
};
