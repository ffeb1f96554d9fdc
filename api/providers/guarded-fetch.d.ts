import { TooLargeError } from "#shared/protocols/reply-errors.ts";
/** The endpoint redirected. Redirects are never followed: they could lead anywhere. */
export declare class RedirectError extends Error {
    readonly status: number;
    constructor(status: number);
}
/** The response exceeds `MAX_RESPONSE_BYTES`, or would when parsed. */
export declare class BodyTooLargeError extends TooLargeError {
    constructor(what?: string);
}
/** A stream stalled: it is given up before the time of the whole request is over. */
export declare class StalledError extends Error {
}
/**
 * When the headers of a response arrived, by the clock of its `guardedFetch`; null for other responses.
 * @example headersAt(new Response()) // null
 */
export declare const headersAt: (response: Response) => number | null;
/**
 * A fetch that follows no redirects, limits the body size, gives up streams that stall, and records when the headers
 * arrived (`headersAt`). It reads error bodies itself, because the SDK reads them without a timeout.
 */
export declare function guardedFetch(now: () => number, stallMs?: number): typeof fetch;
/** Whether a response is a stream of server-sent events. */
export declare const isEventStream: ({ headers }: Response) => boolean;
/**
 * The watch over a stream of `guardedFetch`; undefined for other responses. It begins with the first part of an answer:
 * before, a model may think in silence, for as long as the request may take.
 */
export declare const stallWatch: (response: Response) => StallWatch | undefined;
/** Errs a stream from which no byte came in several looks at it: a timer for each chunk would take too long. */
declare class StallWatch {
    #private;
    fail: (error: Error) => void;
    constructor(stallMs: number);
    moved(): void;
    begin(): void;
    end(): void;
}
export {};
