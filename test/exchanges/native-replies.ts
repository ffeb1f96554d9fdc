import { expect, it } from "vitest";
import { type Exchange, exchangeSchema, type ReadExchange, readExchange } from "./read-exchange.ts";

/** A name, a reply in the provider's format with our own texts, and the expected reading. */
export type Case = readonly [name: string, exchange: Exchange, read: Partial<ReadExchange>];

export const reply = (api: string, response: object): Exchange =>
  exchangeSchema.parse({
    provider: "p",
    api,
    case: "c",
    request: { body: null },
    response: { status: 200, ...response },
  });
export const stream = (api: string, ...events: object[]) =>
  reply(api, { sse: events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("") });

export const failed = (kind: string, retryable: boolean, retryAfterMs: number | null = null) => ({
  outcome: "failed" as const,
  failure: { class: kind as "server_error", retryable, retryAfterMs },
});

/** Tests the reading of each reply. */
export function readAs(title: string, cases: readonly Case[]): void {
  it.each(cases)(`${title}: %s`, async (_, exchange, read) => {
    expect(await readExchange(exchange)).toMatchObject(read);
  });
}
