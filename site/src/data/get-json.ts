import { withEffort } from "#shared/contracts/keys/effort.ts";

// Long enough for a cold API, short enough to fail a stuck build.
const TIMEOUT_MS = 30_000;
// A first build reads more runs than the API's rate limit allows at once.
const MOST_TRIES = 40;
const MOST_CUT = 3;
const shortestWaitMs = 1_000;

/** Statuses for too many requests, and for a result that is not ready: both say when to retry. */
const passing = new Set([409, 429]);

/** Requests public data: on the user's own machine, the service treats requests without a key as the owner's. */
const asSite = {
  accept: "application/json",
  "user-agent": "assay-site",
  "x-assay-public": "1",
} as const;

/** The resource existed, but was removed. */
export class Gone extends Error {}

/** Reads JSON from the API, or throws one sentence that says which address failed and what to do. */
export async function getJson(url: string): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const { response, text } = await ask(url);
    if (response.ok) return JSON.parse(text);
    if (response.status === 410) {
      throw new Gone(
        `${url} answered 410: the results changed while the site was being built. Build it again.`,
      );
    }
    if (!passing.has(response.status) || tries === MOST_TRIES) {
      throw new Error(`${url} answered ${response.status}: check that ASSAY_ORIGIN is the API.`);
    }
    await waitRetryAfter(response);
  }
}

/**
 * A reply with its body. A build reads thousands of addresses, so after a lost connection, even within the body, it
 * retries after 1, 2 and 4 s.
 */
async function ask(
  url: string,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<{ response: Response; text: string }> {
  for (let tries = 0; ; tries++) {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await withEffort(
        (proof) => fetch(url, { headers: { ...asSite, ...proof }, signal }),
        async () => {},
      );
      return { response, text: await textOf(response, mostBytes) };
    } catch (cause) {
      if (cause instanceof TooLong) throw cause;
      const isCut = !isNobody(cause);
      if (tries === MOST_CUT || !isCut) {
        const why = isCut ? ` (${codeOf((cause as Error).cause) ?? (cause as Error).message})` : "";
        throw new Error(`${url} does not answer${why}: start the API or correct ASSAY_ORIGIN.`, {
          cause,
        });
      }
      await new Promise((resolve) => setTimeout(resolve, shortestWaitMs * 2 ** tries));
    }
  }
}

class TooLong extends Error {}

/** Whether the host does not exist, or nothing listens there. */
const isNobody = (error: unknown): boolean =>
  ["ECONNREFUSED", "ENOTFOUND"].includes(String(codeOf((error as Error).cause)));

const codeOf = (cause: unknown): unknown => (cause as { code?: unknown } | undefined)?.code;

/** Waits for the time in the response's `retry-after`, at least a second. */
async function waitRetryAfter({ headers }: Response): Promise<void> {
  const toldMs = Number(headers.get("retry-after") ?? 0) * 1_000;
  await new Promise((resolve) => setTimeout(resolve, Math.max(shortestWaitMs, toldMs)));
}

/** Maximum number of attempts: tests of a large sweep take a minute. */
const MOST_WAITS = 40;

/**
 * Reads JSON that the API may still be computing: repeats the request according to `retry-after`. Null if it no
 * longer exists, for example because one of its runs was reopened. Throws if the answer has more than `mostBytes`,
 * without reading further.
 */
export async function getWhenReady(
  url: string,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<unknown> {
  for (let tries = 0; tries < MOST_WAITS; tries++) {
    const { response, text } = await ask(url, mostBytes);
    if (response.status === 200) return JSON.parse(text);
    if (response.status === 404 || response.status === 409) return null;
    if (response.status !== 202 && response.status !== 429) {
      throw new Error(`${url} answered ${response.status}: check that ASSAY_ORIGIN is the API.`);
    }
    await waitRetryAfter(response);
  }
  return null;
}

async function textOf(response: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) {
      throw new TooLong(`${response.url} answered more than the limit of ${mostBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
