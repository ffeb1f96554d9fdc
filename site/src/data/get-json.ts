import { waitAsTold } from "./wait-as-told.ts";

// Long enough for a cold API, short enough to fail a stuck build.
const timeoutMs = 30_000;
// A first build reads more runs than the API's limit of reads allows at once.
const mostTries = 40;

/** Too many requests, or not ready yet: both say when to ask again. */
const passing = new Set([409, 429]);

/** Asks as the public does: a service on one's own machine takes whoever has no key for its owner. */
export const asSite = {
  accept: "application/json",
  "user-agent": "assay-site",
  "x-assay-public": "1",
} as const;

/** What was asked for was there before, and is no more. */
export class Gone extends Error {}

/** Reads JSON from the API, or throws one sentence that says which address failed and what to do. */
export async function getJson(url: string): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const response = await ask(url);
    if (response.ok) return response.json();
    if (response.status === 410) {
      throw new Gone(
        `${url} answered 410: the results changed while the site was being built. Build it again.`,
      );
    }
    if (!passing.has(response.status) || tries === mostTries) {
      throw new Error(`${url} answered ${response.status}: check that ASSAY_ORIGIN is the API.`);
    }
    await waitAsTold(response);
  }
}

async function ask(url: string): Promise<Response> {
  try {
    return await fetch(url, {
      headers: asSite,
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    throw new Error(`${url} does not answer: start the API or correct ASSAY_ORIGIN.`, { cause });
  }
}
