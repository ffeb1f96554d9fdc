import { type CallRules } from "./own-hosts.ts";
/** Advice in error messages, in the caller's terms. */
export interface Advice {
    example: string;
    credentials: string;
    port: string;
    /** Why an address may not have a query; null: it may. */
    query: string | null;
}
/** Why an endpoint's address may not be called, as a predicate for an error message; null if it may. */
export declare const endpointUrlProblem: (address: string, rules: CallRules) => string | null;
/** Why a webhook's address may not be called, as a predicate for an error message; null if it may. */
export declare const webhookUrlProblem: (address: string, rules: CallRules) => string | null;
