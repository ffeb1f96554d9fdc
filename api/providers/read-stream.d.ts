import type { StreamParts } from "#shared/protocols/protocol.ts";
/** The stream ended before the answer did, or has an event that is not JSON. */
export declare class BrokenStreamError extends Error {
}
/** A streamed answer, as it would have been without a stream. */
export interface Collected {
    body: unknown;
    /** When the first part of the answer arrived (text or a tool call, not a thought); null: none did. */
    firstPartAt: number | null;
    /** When the first part of any kind arrived. */
    firstTokenAt: number | null;
}
/**
 * Reads a stream to its end. Throws `BrokenStreamError`, and what the SDK throws, such as an
 * `APIError` for an event with an error.
 */
export declare function readStream(response: Response, parts: StreamParts, signal: AbortSignal, now: () => number): Promise<Collected>;
