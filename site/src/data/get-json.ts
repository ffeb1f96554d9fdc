import { waitAsTold } from "./wait-as-told.ts";

// Long enough for a cold API to read a large snapshot, short enough to fail a stuck build.
const timeoutMs = 30_000;
// A first build reads more runs than the API's limit of reads allows at once.
const mostTries = 40;

/** Asks as the public does: a service on one's own machine takes whoever has no key for its owner. */
export const asSite = {
  ...{ accept: "application/json", "user-agent": "assay-site", "x-assay-public": "1" },
} as const;

/** Reads JSON from the API, or throws one sentence that says which address failed and what to do. */
export async function getJson(url: string): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const response = await ask(url);
    if (response.ok) return response.json();
    if (response.status !== 429 || tries === mostTries) {
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
