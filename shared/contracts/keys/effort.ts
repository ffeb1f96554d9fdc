import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";

/** Header of a refused read: number of bits, a space, and a token signed by the service. */
export const CHALLENGE_HEADER = "assay-challenge";
/** Header of the repeated read: the number that solves the token, a space, and the token. */
export const PROOF_HEADER = "assay-proof";

/** A client refuses challenges of more bits: twice the effort that the service requests. */
const MOST_BITS = 22;
/** Tries between two pauses: a few milliseconds. */
const TRIES = 1_000;

/**
 * Whether a number solves a token: the SHA-256 of both begins with `bits` zero bits. On average 2^bits numbers are tried.
 * @example solves("token", 0, 0) // true
 */
export const solves = (token: string, number: number, bits: number): boolean =>
  solver(token)(number, bits);

/** `solves` for many numbers; shared work is done once. */
function solver(token: string): (number: number, bits: number) => boolean {
  const end = utf8ToBytes(` ${token}`);
  const [empty, hash] = [sha256.create(), sha256.create()];
  const bytes = new Uint8Array(hash.blockLen);
  const head = new DataView(bytes.buffer);
  return (number, bits) => {
    empty
      ._cloneInto(hash)
      .update(utf8ToBytes(`${number}`))
      .update(end)
      .digestInto(bytes);
    return Math.clz32(head.getUint32(0)) >= bits;
  };
}

/** Sends a read, and once more with a proof if the service asks for one. */
export async function withEffort<
  Reply extends { status: number; headers: { get(name: string): string | null } },
>(
  send: (proof: Readonly<Record<string, string>>) => Promise<Reply>,
  pause: () => Promise<unknown>,
): Promise<Reply> {
  const reply = await send({});
  const challenge = reply.status === 429 ? reply.headers.get(CHALLENGE_HEADER) : null;
  const proof = challenge === null ? null : await proofOf(challenge, pause);
  return proof === null ? reply : send({ [PROOF_HEADER]: proof });
}

/**
 * The proof for a challenge; null if the challenge is invalid or too hard. Expected time: 2^bits hashes, in slices;
 * `pause` is called between slices so that other work can run.
 * @example await proofOf("0 token", async () => {}) // "0 token"
 */
export async function proofOf(
  challenge: string,
  pause: () => Promise<unknown>,
): Promise<string | null> {
  const [, digits, token] = /^(\d{1,2}) (\S+)$/.exec(challenge) ?? [];
  const bits = Number(digits);
  if (token === undefined || bits > MOST_BITS) return null;
  const isSolved = solver(token);
  for (let number = 0; ; number++) {
    if (isSolved(number, bits)) return `${number} ${token}`;
    if (number % TRIES === TRIES - 1) await pause();
  }
}
