/**
 * Numbers ids from 0 in order of appearance. Stores only a 64-bit hash per id, in typed arrays: 16 to 32 bytes
 * per id, instead of a hundred in a Map of strings. The probability of a collision among a million ids is 1 in 30
 * million; a reader of rows detects it, because a row has its id.
 */
export class IdTable {
  #size = 0;
  /** Two halves of a hash per id. */
  #keys = new Uint32Array(2048);
  /** Open addressing, at most half full: 0, or 1 + number of the id whose key belongs here. */
  #slots = new Uint32Array(2048);

  /** A table with the state of a table in another thread. */
  static from({ size, keys, slots }: IdTableState): IdTable {
    const table = new IdTable();
    table.#size = size;
    table.#keys = keys;
    table.#slots = slots;
    return table;
  }

  get state(): IdTableState {
    return { size: this.#size, keys: this.#keys, slots: this.#slots };
  }

  /** Number of ids. */
  get size(): number {
    return this.#size;
  }

  /** The number of `id`, -1 if it is not in the table. */
  find(id: string): number {
    return this.#slots[this.#slotOf(...hash64(id))]! - 1;
  }

  /** The number of `id`, which is added if new. */
  add(id: string): number {
    const [low, high] = hash64(id);
    const slot = this.#slotOf(low, high);
    const known = this.#slots[slot]!;
    if (known > 0) return known - 1;
    const number = this.#size++;
    this.#keys = growArray(this.#keys, 2 * this.#size);
    this.#keys[2 * number] = low;
    this.#keys[2 * number + 1] = high;
    this.#slots[slot] = this.#size;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return number;
  }

  /** The slot with this key, or the empty slot where it belongs. */
  #slotOf(low: number, high: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const known = this.#slots[slot]!;
      if (known === 0) return slot;
      const at = 2 * (known - 1);
      if (this.#keys[at] === low && this.#keys[at + 1] === high) return slot;
    }
  }

  #rehash(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#size; number++) {
      const slot = this.#slotOf(this.#keys[2 * number]!, this.#keys[2 * number + 1]!);
      this.#slots[slot] = number + 1;
    }
  }
}

/** The state of a table, for another thread. */
export interface IdTableState {
  size: number;
  keys: Uint32Array<ArrayBuffer>;
  slots: Uint32Array<ArrayBuffer>;
}

/**
 * Two 32-bit halves of a hash of the UTF-16 units of `text`. A cryptographic hash would cost more
 * than reading the row does. Source: cyrb53 (bryc, public domain), all 64 bits of it.
 */
function hash64(text: string): [low: number, high: number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0];
}

type Numbers = Float64Array | Uint32Array | Int32Array | Uint8Array;

/**
 * `array` if it has `length` elements, otherwise a copy of twice its size, so appending costs O(1) per number.
 */
export function growArray<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  const grown = new (array.constructor as new (length: number) => T)(
    Math.max(length, array.length * 2),
  );
  grown.set(array as never);
  return grown;
}
