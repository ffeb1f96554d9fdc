import { valueFlag } from "../command-line/command.ts";
import { withStoredKey } from "./credentials.ts";
import { KEY_VARIABLE, LOCAL_SERVICE, serviceAccess } from "./service-access.ts";
import { type ServiceClient, serviceClient } from "./service-client.ts";

const SERVICE_VARIABLE = "ASSAY_URL";

/** Variables of every command that calls a service with a key. */
export const keyVariable = {
  [KEY_VARIABLE]: "API key of the service; sent only over https or to this machine",
};

/** Flags of every command that calls a service. */
export const serviceFlags = {
  server: valueFlag("URL", "Address of the service", {
    default: LOCAL_SERVICE,
    env: SERVICE_VARIABLE,
  }),
} as const;

/** Whether flags or environment set a service. */
export const isServiceNamed = (flags: { server?: string | undefined }): boolean =>
  namedService(flags) !== undefined;

/** The address of the service that flags or environment set. */
export const namedService = ({ server }: { server?: string | undefined }): string | undefined =>
  server ?? fromEnvironment();

const fromEnvironment = (): string | undefined =>
  process.env[SERVICE_VARIABLE]?.trim() || undefined;

/** The address of the service from flags and environment. */
export const serviceOrigin = ({ server }: { server?: string | undefined }): string =>
  accessOf(server, undefined).origin;

/** `key`: of the environment; undefined: none. */
function accessOf(server: string | undefined, key: string | undefined) {
  const isByVariable = server === undefined && fromEnvironment() !== undefined;
  const source = isByVariable ? SERVICE_VARIABLE : "--server";
  return serviceAccess(namedService({ server }) ?? LOCAL_SERVICE, key, source);
}

/** The service from flags and environment, with the key of the environment or of `assay login`. `scope`: the scope that the key needs for the calls. */
export function serviceOf(
  { server }: { server?: string | undefined },
  scope: string,
): ServiceClient {
  const access = accessOf(server, process.env[KEY_VARIABLE]);
  return serviceClient(withStoredKey(access), scope);
}
