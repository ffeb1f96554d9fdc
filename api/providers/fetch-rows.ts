import { bounds } from "#shared/contracts/bounds.ts";
import type { CallRules } from "../security/own-hosts.ts";
import { streamUrlProblem } from "../security/public-url.ts";

/** Less than the time after which another cron run takes over a tick. */
const TIMEOUT_MS = 60_000;

/** A longer ETag is not kept. */
const LONGEST_ETAG = 300;

/** The address of rows, and the known version. */
export interface RowsAddress {
  url: string;
  authorization?: string | undefined;
  /** Null if none is known. */
  etag: string | null;
}

/** A file of rows, or that it is unchanged, or why there is none. */
export type FetchedRows =
  | { kind: "rows"; file: Uint8Array; etag: string | null }
  | { kind: "unchanged" }
  | { kind: "failed"; detail: string };

export type FetchRows = ReturnType<typeof rowsFetcher>;

/**
 * Fetches a file of rows from an allowed address, plain or gzipped. Limited in time and size, also of the unpacked
 * file; follows no redirects. Never throws.
 */
export function rowsFetcher(rules: CallRules, timeoutMs = TIMEOUT_MS) {
  return async ({ url, authorization, etag }: RowsAddress): Promise<FetchedRows> => {
    const problem = streamUrlProblem(url, rules);
    if (problem !== null) return failed(`this deployment does not fetch it: url ${problem}`);
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(url, {
        redirect: "manual",
        signal,
        headers: {
          "user-agent": "assay",
          ...(authorization !== undefined && { authorization }),
          ...(etag !== null && { "if-none-match": etag }),
        },
      });
      const { status, headers } = response;
      if (status !== 200) {
        await response.body?.cancel();
        return status === 304 && etag !== null ? { kind: "unchanged" } : failed(statusText(status));
      }
      const file = await unpacked(await boundedBytes(response.body, signal));
      const its = headers.get("etag");
      return { kind: "rows", file, etag: its !== null && its.length <= LONGEST_ETAG ? its : null };
    } catch (error) {
      return failed(reasonOf(error, timeoutMs));
    }
  };
}

const failed = (detail: string): FetchedRows => ({ kind: "failed", detail });

class TooLarge extends Error {}
class NotGzip extends Error {}

/** The runtime's errors may quote the address, which may contain a secret. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof TooLarge) {
    return `it has more than ${bounds.bodyBytes >> 20} MB (unpacked): give only the new rows, such as yesterday's`;
  }
  if (error instanceof NotGzip) return "it begins like a gzip file, but can't be unpacked";
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  return isLate ? `it did not arrive within ${timeoutMs / 1000} s` : "the connection failed";
}

function statusText(status: number): string {
  if (status >= 300 && status < 400) {
    return `its server redirects (${status}), which is not followed: give the target's address`;
  }
  const advice = status === 401 || status === 403 ? ": check the stream's authorization" : "";
  return `its server answered ${status}${advice}`;
}

/**
 * A body of at most `most` bytes. Also watches the signal, because not every runtime aborts a body with its request.
 */
export async function boundedBytes(
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
  most: number = bounds.bodyBytes,
): Promise<Uint8Array> {
  const reader = body?.getReader();
  const stop = () => void reader?.cancel().catch(() => {});
  signal?.addEventListener("abort", stop);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) break;
    length += value.byteLength;
    if (length > most) {
      stop();
      throw new TooLarge();
    }
    chunks.push(value);
  }
  signal?.removeEventListener("abort", stop);
  signal?.throwIfAborted();
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/**
 * Unpacks gzip, which is recognised by its first two bytes (RFC 1952), because file servers often state no encoding.
 */
async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const packed = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const stream = packed.pipeThrough(new DecompressionStream("gzip"));
  try {
    return await boundedBytes(stream as ReadableStream<Uint8Array>);
  } catch (error) {
    throw error instanceof TooLarge ? error : new NotGzip();
  }
}
