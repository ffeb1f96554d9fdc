import { textHash } from "#shared/contracts/content-hash.ts";
import type { JsonObject } from "#shared/contracts/json.ts";
import type { Route } from "#shared/contracts/judging/judge.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { keepingLast } from "../engine/stored-answers.ts";
import { Awaited } from "../platform/backoff.ts";
import type { ObjectStore } from "../platform/object-store.ts";
import type { Transport } from "../providers/ask-model.ts";
import type { BatchItem } from "../providers/batches/batch-api.ts";
import {
  type BatchClient,
  type BatchReply,
  batchClient,
} from "../providers/batches/batch-client.ts";
import { batchesFolder } from "../runs/run-objects.ts";
import type { BatchRecord } from "./schema.ts";

/** Requests to one endpoint that wait to be submitted. */
export interface WaitingBatch {
  client: BatchClient;
  /** Null for the run's model. */
  judge: Route | null;
  items: BatchItem[];
  characters: number;
}

/** Position of the latest reply to a request, and the number of replies: failed requests are sent again. */
interface Place {
  key: string;
  at: number;
  replies: number;
}

/**
 * The requests of a lane and their replies. Units are executed repeatedly: a request with a stored reply gets it, one
 * in an open batch waits, and any other joins the next batch. Requests are identified by content, so that none is sent
 * twice, even after a crash.
 */
export class BatchBook {
  readonly #now: () => number;
  /** Makes the requests of different runs and retries differ. */
  readonly #salt: string;
  readonly #places = new Map<string, Place>();
  /** Ids of requests that are in an open batch, or wait to be submitted. */
  readonly #open = new Set<string>();
  readonly #waiting = new Map<string, WaitingBatch>();
  readonly #clients = new Map<string, BatchClient>();
  readonly #piece: (key: string) => Promise<Piece | null>;

  constructor(objects: Pick<ObjectStore, "get">, salt: string, now: () => number) {
    this.#salt = salt;
    this.#now = now;
    this.#piece = keepingLast((key: string) => objects.get<Piece>(key));
  }

  /** Adds what is stored of a lane's batches, oldest first. */
  async add(objects: Pick<ObjectStore, "get">, batch: BatchRecord): Promise<void> {
    if (batch.pieces === null) {
      for (const id of (await objects.get<string[]>(askedKey(batch))) ?? []) this.#open.add(id);
      return;
    }
    for (let piece = 0; piece < batch.pieces; piece++) {
      const key = pieceKey(batch, piece);
      for (const [at, { id }] of ((await this.#piece(key)) ?? []).entries()) {
        const replies = (this.#places.get(id)?.replies ?? 0) + 1;
        this.#places.set(id, { key, at, replies });
      }
    }
  }

  /** Batches to submit now, which are removed; with `full`, only those that accept no more requests. */
  take(full: boolean): WaitingBatch[] {
    const taken = [...this.#waiting].filter(([, { client, items, characters }]) => {
      const { most } = client;
      return !full || items.length >= most.requests / 2 || characters >= most.characters / 2;
    });
    for (const [name] of taken) this.#waiting.delete(name);
    return taken.map(([, waiting]) => waiting);
  }

  /** Sends requests to the model, or to a judge, in batches. Throws `Awaited`. */
  transport(judge: Route | null): Transport {
    return {
      streams: false,
      complete: async (endpoint, write, { maxRetries, name = "" }, calls) => {
        const client = this.#client(endpoint);
        let body: JsonObject;
        try {
          body = client.bodyOf(write().body);
        } catch (error) {
          return { ok: false, failure: client.failure(error) };
        }
        const text = JSON.stringify(body);
        const id = textHash([this.#salt, endpoint.baseUrl, name, text].join("\n"));
        if (this.#open.has(id)) throw new Awaited();
        const place = this.#places.get(id);
        const reply = place && (await this.#piece(place.key))?.[place.at];
        if (place === undefined || reply === undefined) this.#wait(endpoint, judge, { id, text });
        calls.attempts += place.replies - 1;
        calls.retries += place.replies - 1;
        if ("answer" in reply) {
          return { ok: true, value: { answer: reply.answer, isStreamed: false } };
        }
        if (reply.failure.retryable && place.replies <= maxRetries) {
          this.#wait(endpoint, judge, { id, text });
        }
        return { ok: false, failure: { ...reply.failure, retryable: false } };
      },
    };
  }

  #client(endpoint: Endpoint): BatchClient {
    const name = nameOf(endpoint);
    const client = this.#clients.get(name) ?? batchClient(endpoint, this.#now);
    if (client === null) throw new Error(`${name} has no batches`);
    this.#clients.set(name, client);
    return client;
  }

  #wait(endpoint: Endpoint, judge: Route | null, item: BatchItem): never {
    const name = nameOf(endpoint);
    const client = this.#client(endpoint);
    const waiting = this.#waiting.get(name) ?? { client, judge, items: [], characters: 0 };
    this.#waiting.set(name, waiting);
    waiting.items.push(item);
    waiting.characters += item.text.length;
    this.#open.add(item.id);
    throw new Awaited();
  }
}

/** Key of a batch: all its requests go to one model. */
const nameOf = ({ baseUrl, model }: Endpoint): string => `${baseUrl} ${model}`;

type Stored = Pick<BatchRecord, "id" | "runId">;

/** Key of the ids of a batch's requests, in order. */
export const askedKey = ({ id, runId }: Stored): string =>
  `${batchesFolder(runId)}${id}/asked.json`;

/** Key of a part of a batch's replies. */
export const pieceKey = ({ id, runId }: Stored, piece: number): string =>
  `${batchesFolder(runId)}${id}/${piece}.json`;

type Piece = readonly BatchReply[];

/** Everything stored of a batch. */
export const objectsOf = (batch: BatchRecord): string[] => [
  askedKey(batch),
  ...Array.from({ length: batch.pieces ?? 0 }, (_, piece) => pieceKey(batch, piece)),
];
