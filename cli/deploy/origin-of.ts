import { BadInput } from "../bad-input.ts";
import { isOpen, serviceAccess } from "../remote/service-access.ts";

/** An address as a service's origin. Throws BadInput where it is none, or a secret could be read on its way there. */
export function originOf(address: string, source: string): string {
  const { origin } = accessOf(address, source);
  if (!isOpen(origin)) return origin;
  throw new BadInput(`${source} takes an address with https, not "${address}".`);
}

function accessOf(address: string, source: string) {
  try {
    return serviceAccess(address, undefined, source);
  } catch (error) {
    throw error instanceof BadInput ? new BadInput(`${error.message}.`) : error;
  }
}
