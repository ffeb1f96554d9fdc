import type { PublicKey } from "#shared/contracts/boards/result-statement.ts";
import { base64url } from "./base64url.ts";

const ALGORITHM = "Ed25519";
const utf8 = new TextEncoder();

interface SigningKey {
  key: CryptoKey;
  publicKey: PublicKey;
}

export type Signer = ReturnType<typeof signer>;

/**
 * Signs a deployment's published results: Ed25519 as compact JWS, which libraries of all languages can verify with a
 * JWKS. `secret`: private key, PKCS#8 in base64; empty: nothing is signed. `previous`: replaced public keys, each the
 * `x` of its JWK, separated by commas. Throws if one is malformed.
 */
export function signer(secret: string, previous: string) {
  let opened: Promise<SigningKey> | null = null;
  const open = () => {
    opened ??= signingKey(secret);
    return opened;
  };
  return {
    /** Null if the deployment has no key. Deterministic for a text and key. */
    async sign(text: string): Promise<{ signature: string; keyId: string } | null> {
      if (secret.trim() === "") return null;
      const { key, publicKey } = await open();
      const header = JSON.stringify({ alg: publicKey.alg, kid: publicKey.kid });
      const signed = `${base64url(utf8.encode(header))}.${base64url(utf8.encode(text))}`;
      const signature = await crypto.subtle.sign(ALGORITHM, key, utf8.encode(signed));
      return {
        signature: `${signed}.${base64url(new Uint8Array(signature))}`,
        keyId: publicKey.kid,
      };
    },
    /** The signing key first, then replaced ones. */
    async keys(): Promise<PublicKey[]> {
      const replaced = previous.split(",").map((x) => x.trim());
      const own = secret.trim() === "" ? [] : [(await open()).publicKey];
      return [...own, ...(await Promise.all(replaced.filter(Boolean).map(replacedKey)))];
    },
  };
}

async function signingKey(secret: string): Promise<SigningKey> {
  try {
    const pkcs8 = Uint8Array.from(atob(secret.trim()), (char) => char.charCodeAt(0));
    const key = await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, true, ["sign"]);
    const { x = "" } = (await crypto.subtle.exportKey("jwk", key)) as JsonWebKey;
    return { key, publicKey: await publicKeyOf(x) };
  } catch {
    // Not the import error itself: it may quote the key.
    throw new Error(
      "SIGNING_KEY is not an Ed25519 key: set it to the base64 of the output of openssl genpkey -algorithm ed25519 -outform DER",
    );
  }
}

async function replacedKey(x: string): Promise<PublicKey> {
  // 32 bytes in base64url.
  if (/^[\w-]{43}$/.test(x)) return publicKeyOf(x);
  throw new Error(
    `SIGNING_KEYS_PREVIOUS has "${x}", which is not an Ed25519 key: use the x of a key from /.well-known/assay-keys.json`,
  );
}

/** A public key in the published form, with its thumbprint. `x`: of its JWK. */
export async function publicKeyOf(x: string): Promise<PublicKey> {
  // RFC 7638: members in this order, without spaces.
  const members = JSON.stringify({ crv: "Ed25519", kty: "OKP", x });
  const thumbprint = await crypto.subtle.digest("SHA-256", utf8.encode(members));
  const kid = base64url(new Uint8Array(thumbprint));
  return { kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" };
}
