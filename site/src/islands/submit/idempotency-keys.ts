/** A key that no other request has; `randomUUID` would want a secure context. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

/**
 * Keys for requests that may have to be sent again: the same for the same body until it is known to have been
 * taken, so that no click submits twice what is wanted once.
 */
export function idempotencyKeys(make: () => string = newKey) {
  let pending: { body: string; key: string } | null = null;
  return {
    keyFor(body: string): string {
      if (pending?.body !== body) pending = { body, key: make() };
      return pending.key;
    },
    taken(): void {
      pending = null;
    },
  };
}
