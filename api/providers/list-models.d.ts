import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
/** A model that a provider lists. */
export interface ListedModel {
    id: string;
    /** Day of its shutdown, ISO 8601; null: none announced. */
    ends: string | null;
    /** The model that the provider names in its place. */
    replacement: string | null;
}
/** The models that a provider lists (`GET /models`); a string states why it lists none. Never throws. */
export declare function listModels(endpoint: Endpoint, timeoutMs: number, now: () => number): Promise<ListedModel[] | string>;
/**
 * Reads a list of models: OpenAI's (`shutdown_date`), OpenRouter's (`expiration_date`), Mistral's (`deprecation`, a time),
 * Anthropic's and Google's (without dates; Google's names begin with `models/`). Null for another body.
 * @example readModels({ data: [{ id: "m", shutdown_date: "2027-01-06" }] })?.[0]?.ends // "2027-01-06"
 */
export declare function readModels(body: unknown): ListedModel[] | null;
