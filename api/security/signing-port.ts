import type { PublicKey } from "#shared/contracts/result-statement.ts";

/** Signs what a deployment publishes, with its own key. */
export interface Signer {
  /** Null where the deployment has no key. The same text under the same key has the same signature. */
  sign(text: string): Promise<{ signature: string; keyId: string } | null>;
  /** The key that signs, first, and those it has replaced. */
  keys(): Promise<PublicKey[]>;
}
