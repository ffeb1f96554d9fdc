/**
 * A well-mixed 32-bit hash of `text`: FNV-1a over UTF-16 code units, then the finalizer of MurmurHash3. Equal on
 * every machine; not cryptographic. Linear.
 * @example hash32("a") % 128 // the block that "a" falls in
 */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return wellMixed(hash);
}

/**
 * Mixes the bits of a hash, so that each depends on all input bits: the finalizer of MurmurHash3.
 * @example wellMixed(1) % 128
 */
export function wellMixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
