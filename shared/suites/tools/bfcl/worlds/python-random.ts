const SIZE = 624;
const SHIFT = 397;

/**
 * Python's `random.Random(seed)`: recorded answers contain ids that it drew, so a simulation must draw the same ids.
 * Source: CPython 3, `Modules/_randommodule.c` and `Lib/random.py`; Matsumoto and Nishimura, MT19937.
 * @example new PythonRandom(42).integer(1, 6) // 6
 */
export class PythonRandom {
  readonly #words = new Uint32Array(SIZE);
  #at = SIZE;

  constructor(seed: number) {
    this.#seed(19_650_218);
    const key = keyOf(Math.abs(Math.trunc(seed)));
    const words = this.#words;
    let i = 1;
    let j = 0;
    const mixed = (by: number) => {
      const before = words[i - 1]!;
      return (words[i]! ^ Math.imul(before ^ (before >>> 30), by)) >>> 0;
    };
    const step = () => {
      i++;
      if (i < SIZE) return;
      words[0] = words[SIZE - 1]!;
      i = 1;
    };
    for (let k = Math.max(SIZE, key.length); k > 0; k--) {
      words[i] = mixed(1_664_525) + key[j]! + j;
      step();
      j = (j + 1) % key.length;
    }
    for (let k = SIZE - 1; k > 0; k--) {
      words[i] = mixed(1_566_083_941) - i;
      step();
    }
    words[0] = 0x80000000;
  }

  #seed(seed: number): void {
    const words = this.#words;
    words[0] = seed;
    for (let i = 1; i < SIZE; i++) {
      const before = words[i - 1]!;
      words[i] = Math.imul(before ^ (before >>> 30), 1_812_433_253) + i;
    }
  }

  #word(): number {
    if (this.#at === SIZE) this.#twist();
    let y = this.#words[this.#at++]!;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  }

  #twist(): void {
    const words = this.#words;
    for (let i = 0; i < SIZE; i++) {
      const y = (words[i]! & 0x80000000) | (words[(i + 1) % SIZE]! & 0x7fffffff);
      words[i] = words[(i + SHIFT) % SIZE]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.#at = 0;
  }

  /** `random()`: at least 0, below 1. */
  share(): number {
    const [a, b] = [this.#word() >>> 5, this.#word() >>> 6];
    return (a * 67_108_864 + b) / 9_007_199_254_740_992;
  }

  /** `uniform(low, high)`. */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.share();
  }

  /** `randint(low, high)`, both included; for ranges below 2^53. */
  integer(low: number, high: number): number {
    const count = high - low + 1;
    const bits = count.toString(2).length;
    for (;;) {
      const drawn = this.#bits(bits);
      if (drawn < count) return low + drawn;
    }
  }

  /** `getrandbits`: the first word is the lowest. */
  #bits(count: number): number {
    if (count <= 32) return this.#word() >>> (32 - count);
    const low = this.#word();
    return low + (this.#word() >>> (64 - count)) * 4_294_967_296;
  }
}

/** A whole number as 32-bit words, the lowest first. */
function keyOf(value: number): number[] {
  const low = value % 4_294_967_296;
  const high = Math.floor(value / 4_294_967_296);
  return high === 0 ? [low] : [low, high];
}
