import type { EndpointMemory } from "./endpoint-memory.ts";
import type { Failure } from "./failure.ts";
import type { Attempt, Completion } from "./request-once.ts";
/** A stream that broke off or has no token counts, although the endpoint may count them without one. */
export declare const uselessStream: Failure;
/**
 * The end of a streamed request. Requests are streamed: a stream's headers come at once, so it takes none of the six
 * connections of an invocation that may wait for headers, and proxies with a limit on silence don't cut it. Not every
 * endpoint streams, or counts tokens then: such a one is asked without from then on.
 * Source: developers.cloudflare.com, workers/platform/limits, simultaneous open connections.
 * Until one has worked, `uselessStream` if it is to be sent again without a stream.
 */
export declare function afterStream({ streams }: EndpointMemory, end: Attempt<Completion>): Attempt<Completion>;
