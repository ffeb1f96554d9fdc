import { generateKeyPairSync } from "node:crypto";

/** A private Ed25519 key in the format of the secret SIGNING_KEY: PKCS#8 in base64. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
}
