/**
 * Why a host may not be called, as a predicate for an error message; null if it may. `host`: from the URL parser (lower
 * case, addresses in canonical form, IPv6 without brackets).
 */
export declare function hostProblem(host: string, allowPrivate: boolean): string | null;
