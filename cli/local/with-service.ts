import type { Writable } from "node:stream";
import type { ServiceClient } from "../remote/service-client.ts";
import { isServiceNamed, serviceOf } from "../remote/service-flags.ts";
import { onStop } from "../score/on-termination.ts";
import { localClient } from "./local-client.ts";
import { type OwnService, ownService } from "./own-service.ts";

interface Wanted {
  server?: string | undefined;
  /** What a key must be allowed for what will be asked. */
  scope: string;
  stderr: Writable;
  /** Only a service of this machine will do, whatever the environment names. */
  isHere?: boolean;
  /** What needs a service that goes on after the command; null: nothing does. */
  lasting?: string | null;
}

/**
 * Does what asks a service: the one that is named, else that of this machine, which is started and stopped
 * again where none runs; also where the work fails or a signal ends the command. `work` learns whether it was
 * started for it.
 */
export async function withService<T>(
  { server, scope, stderr, isHere = false, lasting = null }: Wanted,
  work: (service: ServiceClient, isStarted: boolean) => Promise<T>,
): Promise<T> {
  const isNamed = isHere ? server !== undefined : isServiceNamed({ server });
  if (isNamed && isHere) return work(localClient(new URL(server ?? "").origin), false);
  if (isNamed) return work(serviceOf({ server }, scope), false);
  // A signal that comes during the start is heeded when there is something to stop.
  const starting: Promise<OwnService> = ownService(stderr, lasting);
  const release = onStop(async () => (await starting).leave(true));
  try {
    const own = await starting;
    try {
      return await work(localClient(own.origin), own.isStarted);
    } finally {
      await own.leave(false);
    }
  } finally {
    release();
  }
}
