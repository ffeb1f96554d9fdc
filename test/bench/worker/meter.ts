import {
  type Around,
  type BindingCall,
  interceptedBindings,
} from "../../support/worker/intercepted-bindings.ts";
import { noUsage, type Usage } from "../cost/usage.ts";

/** Bytes of a message per billed operation. */
const OPERATION_BYTES = 64_000;

const classA = new Set(["put", "list"]);
const classB = new Set(["get", "head"]);

/** Counts calls of bindings in the platform's billed units. */
export class Meter {
  readonly usage: Usage = { ...noUsage };

  /** The same bindings, counted. */
  bindings<E extends object>(env: E): E {
    const around = (call: BindingCall, proceed: () => Promise<unknown>) =>
      this.#count(call, proceed);
    return interceptedBindings(env, around as Around);
  }

  /** A batch whose deliveries and acknowledgements are counted. In deployments, each message is one invocation. */
  batch(batch: MessageBatch): MessageBatch {
    this.usage.invocations += batch.messages.length;
    const messages = batch.messages.map((message) => {
      const operations = operationsOf(message.body);
      this.usage.queueOperations += operations;
      const ack = () => {
        this.usage.queueOperations += operations;
        message.ack();
      };
      return { ...fieldsOf(message), ack, retry: message.retry.bind(message) };
    });
    return { queue: batch.queue, messages } as unknown as MessageBatch;
  }

  async #count(call: BindingCall, proceed: () => Promise<unknown>): Promise<unknown> {
    const begun = Date.now();
    if (call.part === "D1") return this.#countD1(call, proceed, begun);
    const result = await proceed();
    const waited = Date.now() - begun;
    if (call.part === "R2") {
      this.usage.r2WaitMs += waited;
      if (classA.has(call.method)) this.usage.r2ClassA += 1;
      if (classB.has(call.method)) this.usage.r2ClassB += 1;
    } else {
      this.usage.queueWaitMs += waited;
      for (const body of sentBodies(call)) this.usage.queueOperations += operationsOf(body);
    }
    return result;
  }

  /** Only replies of `all`, `run` and `batch` contain row counts, so other methods also call `all`. */
  async #countD1(
    { method, args, statements }: BindingCall,
    proceed: () => Promise<unknown>,
    begun: number,
  ): Promise<unknown> {
    const [statement] = statements;
    if (statement === undefined || (method !== "raw" && method !== "first")) {
      const result = await proceed();
      this.usage.d1WaitMs += Date.now() - begun;
      this.#addRows([result].flat() as D1Result[]);
      return result;
    }
    if (/^\s*(select|with)\b/i.test(statement.sql)) {
      const result = await proceed();
      this.usage.d1WaitMs += Date.now() - begun;
      this.#addRows([await statement.real.all()]);
      return result;
    }
    const all = await statement.real.all<Record<string, unknown>>();
    this.usage.d1WaitMs += Date.now() - begun;
    this.#addRows([all]);
    if (method === "raw") return all.results.map((row) => Object.values(row));
    const [row = null] = all.results;
    const [column] = args as [string?];
    return column === undefined ? row : (row?.[column] ?? null);
  }

  /** Adds the row counts of one call. */
  #addRows(results: readonly D1Result[]): void {
    for (const { meta } of results) {
      this.usage.d1RowsRead += meta.rows_read;
      this.usage.d1RowsWritten += meta.rows_written;
    }
    this.usage.d1Calls += 1;
  }
}

function sentBodies({ method, args: [sent] }: BindingCall): unknown[] {
  return method === "send"
    ? [sent]
    : [...(sent as Iterable<{ body: unknown }>)].map(({ body }) => body);
}

const operationsOf = (body: unknown): number =>
  Math.max(1, Math.ceil(JSON.stringify(body).length / OPERATION_BYTES));

/** The fields of a message, which are getters of its prototype. */
const fieldsOf = ({ id, timestamp, body, attempts }: Message) => ({
  id,
  timestamp,
  body,
  attempts,
});
