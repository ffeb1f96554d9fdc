import type { Sealer } from "../pipeline/ports.ts";

const VERSION = "v1";
const IV_BYTES = 12;
const text = new TextEncoder();

/**
 * Seals secrets with AES-256-GCM under a key derived (HKDF-SHA-256) from the deployment's master
 * secret; the run's id is bound as associated data, so a sealed secret opens for its run alone.
 */
export function sealer(masterSecret: string): Sealer {
  let derived: Promise<CryptoKey> | null = null;
  const key = () => {
    derived ??= deriveKey(masterSecret);
    return derived;
  };
  return {
    async seal(runId, secret) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const algorithm = { name: "AES-GCM", iv, additionalData: text.encode(runId) };
      const sealed = await crypto.subtle.encrypt(algorithm, await key(), text.encode(secret));
      return [VERSION, base64(iv), base64(new Uint8Array(sealed))].join(".");
    },
    async open(runId, sealed) {
      const [version, iv, body] = sealed.split(".");
      if (version !== VERSION || !iv || !body) throw new Error("sealed secret of unknown form");
      const algorithm = {
        name: "AES-GCM",
        iv: bytes(iv),
        additionalData: text.encode(runId),
      };
      const opened = await crypto.subtle.decrypt(algorithm, await key(), bytes(body));
      return new TextDecoder().decode(opened);
    },
  };
}

async function deriveKey(masterSecret: string): Promise<CryptoKey> {
  if (masterSecret === "") throw new Error("SECRETS_KEY is not set: no key can be sealed");
  const master = await crypto.subtle.importKey("raw", text.encode(masterSecret), "HKDF", false, [
    "deriveKey",
  ]);
  const parameters = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: text.encode("assay sealed secrets v1"),
  };
  const algorithm = { name: "AES-GCM", length: 256 };
  return crypto.subtle.deriveKey(parameters, master, algorithm, false, ["encrypt", "decrypt"]);
}

const base64 = (data: Uint8Array) => btoa(String.fromCharCode(...data));

const bytes = (encoded: string) => Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
