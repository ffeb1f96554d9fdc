import type { ErrorClass } from "#shared/contracts/answer.ts";
import type { Redact } from "../security/redact.ts";
/** Why a request failed, whether a retry may help, and what the endpoint asked for. */
export interface Failure {
    class: ErrorClass;
    retryable: boolean;
    httpStatus: number | null;
    /** Delay that the endpoint asked for, ms. */
    retryAfterMs: number | null;
    message: string;
    /** The field that an OpenAI-style error names. */
    param: string | null;
    /** The text that came before the stream broke. */
    received?: string;
}
/**
 * Classifies whatever a request threw; nothing else does. The endpoint's message is redacted before it is truncated, so
 * that no part of a secret remains.
 */
export declare function failureOf(error: unknown, now: number, redact: Redact): Failure;
/**
 * The delay that a response asks for, ms, at most an hour: seconds or an HTTP date (RFC 9110, 10.2.3). Null if the
 * header is missing or malformed.
 * @example retryAfterOf("2", Date.now()) // 2000
 */
export declare function retryAfterOf(header: string | null, now: number): number | null;
