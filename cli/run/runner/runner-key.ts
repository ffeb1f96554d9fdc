import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BadInput } from "../../errors.ts";
import { ownerFolder, writeOwnerFile } from "../../files/owner-only.ts";
import { makeStateFolder, stateFolder } from "../../local/state-folder.ts";
import { newSigningKey } from "../../local/wrangler.ts";

/** The key with which a runner signs replies. */
export interface RunnerKey {
  /** `publicKey` is the `x` of its JWK, `keyId` its thumbprint (RFC 7638). */
  publicKey: string;
  keyId: string;
  /** Signature in base64url. */
  sign(text: string): string;
}

/** The key of a local runner, created at its first start; only the owner can read the file. Throws BadInput. */
export function runnerKey(name: string): RunnerKey {
  const folder = join(stateFolder(), "runners");
  const file = join(folder, `${name}.key`);
  if (!existsSync(file)) {
    makeStateFolder(stateFolder());
    ownerFolder(folder);
    writeOwnerFile(file, `${newSigningKey()}\n`);
  }
  return keyOf(privateKeyIn(file));
}

function privateKeyIn(file: string): KeyObject {
  try {
    const key = Buffer.from(readFileSync(file, "utf8").trim(), "base64");
    return createPrivateKey({ key, format: "der", type: "pkcs8" });
  } catch {
    throw new BadInput(`${file} is not the key of a runner: delete it to create a new one`);
  }
}

function keyOf(key: KeyObject): RunnerKey {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const members = JSON.stringify({ crv: "Ed25519", kty: "OKP", x });
  return {
    publicKey: x,
    keyId: createHash("sha256").update(members).digest("base64url"),
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64url"),
  };
}
