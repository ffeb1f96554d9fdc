import { valueFlag } from "../command-line/command.ts";
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

/** The service from flags and environment. `scope`: the scope that the key needs for the calls. */
export function serviceOf(
  { server }: { server?: string | undefined },
  scope: string,
): ServiceClient {
  const named = namedService({ server }) ?? LOCAL_SERVICE;
  const isByVariable = server === undefined && fromEnvironment() !== undefined;
  const origin = isByVariable ? SERVICE_VARIABLE : "--server";
  return serviceClient(serviceAccess(named, process.env[KEY_VARIABLE], origin), scope);
}
