import { type ServiceClient, serviceClient } from "../remote/service-client.ts";

/** A service that this machine runs for itself, which wants no key. */
export const localClient = (origin: string): ServiceClient =>
  serviceClient({ origin, apiKey: null }, "admin");
