import { KEY_VARIABLE, LOCAL_SERVICE, serviceAccess } from "./service-access.ts";
import { type ServiceClient, serviceClient } from "./service-client.ts";

/** The variable of the environment that names the service. */
const SERVICE_VARIABLE = "ASSAY_URL";

/** Flags of every command that asks a service. */
export const serviceFlags = { server: { type: "string" } } as const;

/** What help says of them. */
export const serverHelp = `--server URL      the service; without it ${SERVICE_VARIABLE}, without that ${LOCAL_SERVICE}`;
export const keyHelp = `The API key is taken from the environment variable ${KEY_VARIABLE}; it is sent by https alone, or to this
machine. Variables may stand in a file .env, which those of the environment overrule.`;

const fromEnvironment = (): string | undefined =>
  process.env[SERVICE_VARIABLE]?.trim() || undefined;

/** Whether flags or environment name a service. */
export const isServiceNamed = ({ server }: { server?: string | undefined }): boolean =>
  (server ?? fromEnvironment()) !== undefined;

/** The service that flags and environment name. `scope`: what a key must be allowed for what will be asked. */
export function serviceOf(
  { server }: { server?: string | undefined },
  scope: string,
): ServiceClient {
  const named = server ?? fromEnvironment() ?? LOCAL_SERVICE;
  const isByVariable = server === undefined && fromEnvironment() !== undefined;
  const origin = isByVariable ? SERVICE_VARIABLE : "--server";
  return serviceClient(serviceAccess(named, process.env[KEY_VARIABLE], origin), scope);
}
