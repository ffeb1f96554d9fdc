import type { z } from "zod";
import {
  type Arguments,
  type Command,
  type CommandOf,
  command,
  type Flags,
  jsonFlag,
  type Positional,
  type Terminal,
  type Values,
  valueFlag,
} from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { runningOrigin } from "../local/service-note.ts";
import { stateFolder } from "../local/state-folder.ts";
import { withStoredKey } from "./credentials.ts";
import { KEY_VARIABLE, LOCAL_SERVICE, serviceAccess } from "./service-access.ts";
import { type ServiceClient, serviceClient } from "./service-client.ts";

const SERVICE_VARIABLE = "ASSAY_URL";
const PORT_VARIABLE = "ASSAY_PORT";

/** Variables of every command that calls a service with a key. */
export const keyVariable = {
  [KEY_VARIABLE]: "API key of the service; sent only over https or to this machine",
};

/** Flags of every command that calls a service. */
export const serviceFlags = {
  server: valueFlag("URL", "Address of the service", {
    default: "the service on this machine",
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

/** The port at which a local service is searched, and started if the port is free. Throws BadInput. */
export function usualPort(): number {
  const given = process.env[PORT_VARIABLE]?.trim() || new URL(LOCAL_SERVICE).port;
  const port = Number(given);
  // The service also uses the next three ports, or other free ones.
  if (Number.isInteger(port) && port >= 1 && port <= 65_000) return port;
  throw new BadInput(`${PORT_VARIABLE} must be a number from 1 to 65000, not "${given}"`);
}

/** The address at which a local service runs or would run. */
const localOrigin = (): string => runningOrigin(stateFolder()) ?? `http://localhost:${usualPort()}`;

/** `key`: from the environment; undefined without a key. */
function accessOf(server: string | undefined, key: string | undefined) {
  const isByVariable = server === undefined && fromEnvironment() !== undefined;
  const source = isByVariable ? SERVICE_VARIABLE : "--server";
  return serviceAccess(namedService({ server }) ?? localOrigin(), key, source);
}

/** The service from flags and environment, with the key from the environment or `assay login`, which needs `scope`. */
export function serviceOf(
  { server }: { server?: string | undefined },
  scope: string,
): ServiceClient {
  const access = accessOf(server, process.env[KEY_VARIABLE]);
  return serviceClient(withStoredKey(access), scope);
}

/** A command that calls a service and prints the result: as text, or with --json as JSON. */
export function serviceCommand<
  const F extends Flags,
  S extends z.ZodType,
  const P extends readonly Positional[] = [],
>(
  declared: Omit<CommandOf<F, P>, "flags" | "run"> & {
    flags?: F;
    /** Scope that the key needs. */
    scope: string;
    /** Schema of the result. */
    result: S;
    /** Help on --json. */
    resultHelp?: string;
    call(
      service: ServiceClient,
      values: Values<F>,
      positionals: Arguments<P>,
      terminal: Terminal,
    ): Promise<z.output<S>>;
    text(
      result: z.output<S>,
      values: Values<F>,
      positionals: Arguments<P>,
      terminal: Terminal,
    ): string;
  },
): Command {
  const { scope, result, resultHelp, call, text, ...rest } = declared;
  const json = jsonFlag(result, resultHelp);
  const run: Command["run"] = async (given, positionals, terminal) => {
    const values = given as Values<F>;
    const args = positionals as unknown as Arguments<P>;
    const service = serviceOf(given as { server?: string }, scope);
    const found = await call(service, values, args, terminal);
    const printed = given["json"] ? json.text(found) : text(found, values, args, terminal);
    terminal.stdout.write(`${printed}\n`);
  };
  const flags: Flags = { ...declared.flags, ...serviceFlags, json };
  return command({ environment: keyVariable, ...rest, flags, run } as Command);
}
