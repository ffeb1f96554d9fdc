import { textHash } from "#shared/contracts/content-hash.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";

const VERSION = "v2";
const IV_BYTES = 12;
/** Enough to distinguish a deployment's few keys, and too little for a search for a random key. */
const KEY_ID_LENGTH = 8;
const text = new TextEncoder();

/** Why a sealed secret can't be decrypted: its key is missing, or it was modified or belongs to another id. */
export type SealProblem = { kind: "unknown-key"; keyId: string } | { kind: "damaged" };

export type Sealer = ReturnType<typeof sealer>;

/**
 * Encrypts secrets with AES-256-GCM under a key derived (HKDF-SHA-256) from the deployment's master secret, and
 * decrypts them. The ids of the run or webhook and of the key are associated data, so a secret is only valid for its
 * run or webhook. `previous`: replaced master secrets, separated by commas, which only decrypt.
 */
export function sealer(newest: string, previous = "") {
  const masters = [newest, ...previous.split(",").map((key) => key.trim())].filter(Boolean);
  const keyOf = derivedById(masters);
  return {
    async seal(id: string, secret: string): Promise<string> {
      if (newest === "") throw new Error("SECRETS_KEY is not set: no key can be encrypted");
      const keyId = keyIdOf(newest);
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const key = (await keyOf(keyId)) as CryptoKey;
      const algorithm = gcm(iv, keyId, id);
      const sealed = await crypto.subtle.encrypt(algorithm, key, text.encode(secret));
      return [VERSION, keyId, base64(iv), base64(new Uint8Array(sealed))].join(".");
    },
    /** A keyed hash of a text, always the same. Without the master secret it can't be used to find the text. */
    pseudonym: (its: string): string => pseudonymOf(newest, its),
    /** The keyed hashes with each master secret, newest first, to find what was stored before a replacement. */
    pseudonyms: (its: string): string[] =>
      (masters.length > 0 ? masters : [""]).map((master) => pseudonymOf(master, its)),
    async open(id: string, sealed: string): Promise<Result<string, SealProblem>> {
      const [version, keyId = "", iv = "", body = ""] = sealed.split(".");
      if (version !== VERSION) return err({ kind: "damaged" });
      const key = await keyOf(keyId);
      if (!key) return err({ kind: "unknown-key", keyId: keyId.slice(0, KEY_ID_LENGTH) });
      return decrypted(key, () => gcm(bytes(iv), keyId, id), body);
    },
  };
}

const pseudonymOf = (master: string, its: string): string =>
  textHash(`assay pseudonym\n${master}\n${its}`);

/** First hex digits of the master secret's hash: identifies the secret that was used. */
export const keyIdOf = (master: string): string =>
  textHash(`assay key id\n${master}`).slice(0, KEY_ID_LENGTH);

async function decrypted(
  key: CryptoKey,
  algorithm: () => AesGcmParams,
  body: string,
): Promise<Result<string, SealProblem>> {
  try {
    const opened = await crypto.subtle.decrypt(algorithm(), key, bytes(body));
    return ok(new TextDecoder().decode(opened));
  } catch {
    return err({ kind: "damaged" });
  }
}

const gcm = (iv: Uint8Array<ArrayBuffer>, keyId: string, id: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: text.encode([VERSION, keyId, id].join(".")),
});

type AesGcmParams = ReturnType<typeof gcm>;

/** Keys by id of their master secret, derived once and on demand. */
function derivedById(masters: readonly string[]): (id: string) => Promise<CryptoKey> | undefined {
  const derived = new Map<string, Promise<CryptoKey>>();
  return (id) => {
    const master = masters.find((one) => keyIdOf(one) === id);
    if (master === undefined) return undefined;
    const key = derived.get(id) ?? deriveKey(master);
    derived.set(id, key);
    return key;
  };
}

async function deriveKey(master: string): Promise<CryptoKey> {
  const usages = ["deriveKey"] as const;
  const raw = await crypto.subtle.importKey("raw", text.encode(master), "HKDF", false, [...usages]);
  const parameters = {
    name: "HKDF",
    hash: "SHA-256",
    salt: new Uint8Array(),
    info: text.encode("assay sealed secrets v2"),
  };
  const algorithm = { name: "AES-GCM", length: 256 };
  return crypto.subtle.deriveKey(parameters, raw, algorithm, false, ["encrypt", "decrypt"]);
}

const base64 = (data: Uint8Array) => btoa(String.fromCharCode(...data));

const bytes = (encoded: string) => Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0));
