import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { type Attempt } from "./request-once.ts";
/** Vectors of texts in order, and the endpoint's token count. */
export interface Embedded {
    vectors: number[][];
    inputTokens: number | null;
}
/** One embeddings request; never throws. */
export declare function embedOnce(endpoint: Endpoint, texts: readonly string[], timeoutMs: number, now: () => number): Promise<Attempt<{
    value: Embedded;
    latencyMs: number;
}>>;
/** A recording in base64. */
interface Recording {
    data: string;
    format: "wav";
}
/** One speech request; never throws. */
export declare function speakOnce(endpoint: Endpoint, text: string, timeoutMs: number, now: () => number): Promise<Attempt<{
    value: Recording;
    latencyMs: number;
}>>;
export {};
