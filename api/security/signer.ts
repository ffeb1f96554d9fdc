import type { PublicKey } from "#shared/contracts/boards/result-statement.ts";

const ALGORITHM = "Ed25519";
const utf8 = new TextEncoder();

/** A key that signs, and its public half. */
interface SigningKey {
  key: CryptoKey;
  publicKey: PublicKey;
}

export type Signer = ReturnType<typeof signer>;

/**
 * Signs what a deployment publishes, with its own key: with Ed25519 as JWS in compact form, since every language has
 * a library that checks one by a JWKS. `secret`: the private key, PKCS#8 in base64; empty: nothing is signed.
 * `previous`: public keys that it has replaced, each the `x` of its JWK, separated by commas. Throws where either is
 * none.
 */
export function signer(secret: string, previous: string) {
  let opened: Promise<SigningKey> | null = null;
  const open = () => {
    opened ??= signingKey(secret);
    return opened;
  };
  return {
    /** Null where the deployment has no key. The same text under the same key has the same signature. */
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
    /** The key that signs, first, and those it has replaced. */
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
    // What an import says of a key may quote it.
    throw new Error(
      "SIGNING_KEY is not an Ed25519 key: set it to the base64 of the output of openssl genpkey -algorithm ed25519 -outform DER",
    );
  }
}

async function replacedKey(x: string): Promise<PublicKey> {
  // 32 bytes, in base64url.
  if (/^[\w-]{43}$/.test(x)) return publicKeyOf(x);
  throw new Error(
    `SIGNING_KEYS_PREVIOUS has "${x}", which is not an Ed25519 key: use the x of a key from /.well-known/assay-keys.json`,
  );
}

async function publicKeyOf(x: string): Promise<PublicKey> {
  // RFC 7638: the members in this order, without spaces.
  const members = JSON.stringify({ crv: "Ed25519", kty: "OKP", x });
  const thumbprint = await crypto.subtle.digest("SHA-256", utf8.encode(members));
  const kid = base64url(new Uint8Array(thumbprint));
  return { kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" };
}

function base64url(data: Uint8Array): string {
  let text = "";
  for (const byte of data) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
