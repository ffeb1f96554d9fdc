import { type ServiceAccess, serviceAccess } from "../remote/service-access.ts";

/** The variable of the environment that holds the access token of Hugging Face. */
export const TOKEN_VARIABLE = "HF_TOKEN";

/** The variable that names one address for both services: a mirror's, or a test's. */
const ADDRESS_VARIABLE = "ASSAY_HF_URL";

/** Addresses of the descriptions and of the rows of datasets. */
export interface HubAccess {
  hub: ServiceAccess;
  viewer: ServiceAccess;
}

/** The addresses from the environment. Throws BadInput if the token can't be sent there. */
export function hubAccess(): HubAccess {
  const mirror = process.env[ADDRESS_VARIABLE]?.trim() || null;
  const at = (address: string): ServiceAccess =>
    serviceAccess(mirror ?? address, process.env[TOKEN_VARIABLE], ADDRESS_VARIABLE, TOKEN_VARIABLE);
  return {
    hub: at("https://huggingface.co"),
    viewer: at("https://datasets-server.huggingface.co"),
  };
}
