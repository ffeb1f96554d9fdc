/**
 * The part of a request's time that is not the endpoint's work, ms: the way there and back, and what else lies between.
 * Null if the endpoint does not say how long it worked, or says more than the request took. `data`: its body.
 */
export declare function networkMsOf(response: Response, data: unknown, { sentAt, endedAt }: {
    sentAt: number;
    endedAt: number;
}): number | null;
