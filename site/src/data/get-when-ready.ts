import { asSite } from "./get-json.ts";
import { waitAsTold } from "./wait-as-told.ts";

/** As often as anything may be asked for: tests of a large sweep take a minute. */
const mostTries = 40;
const timeoutMs = 30_000;

/**
 * Reads JSON that the API may still be working out: asks again as `retry-after` says. Null where it is not
 * there by now, as after a run of it was opened again. Throws where the answer has more than `mostBytes`, without
 * reading on.
 */
export async function getWhenReady(
  url: string,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<unknown> {
  for (let tries = 0; tries < mostTries; tries++) {
    const response = await fetch(url, {
      headers: asSite,
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === 200) return JSON.parse(await textOf(response, mostBytes));
    if (response.status === 404 || response.status === 409) return null;
    if (response.status !== 202 && response.status !== 429) {
      throw new Error(`${url} answered ${response.status}: check that ASSAY_ORIGIN is the API.`);
    }
    await waitAsTold(response);
  }
  return null;
}

async function textOf(response: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) {
      throw new Error(`${response.url} answered more than the ${mostBytes} bytes that are read.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
