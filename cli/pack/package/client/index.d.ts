import type { Client, ClientOptions } from "openapi-fetch";
import type { paths } from "./api.js";

export type { components, paths } from "./api.js";

/** A service of Assay. */
export interface ServiceOptions extends Omit<ClientOptions, "baseUrl"> {
  /** Address of the service; default: `http://localhost:8787`. */
  server?: string;
  /** API key, sent with every request. A service on this machine needs none. */
  apiKey?: string;
}

/**
 * A client of a service's API: one method for each HTTP method, typed by the service's OpenAPI document. Calls resolve
 * to `{ data, error, response }`: `data` on success, else `error`, a problem of RFC 9457. They reject only if
 * no service can be reached.
 * @example
 * const assay = createClient({ server: "https://assay.example.com", apiKey: process.env.ASSAY_API_KEY });
 * const { data, error } = await assay.GET("/v1/leaderboard", {
 *   params: { query: { suite: "extraction", dataset: "stock" } },
 * });
 */
export declare function createClient(options?: ServiceOptions): Client<paths>;
