/** Columns that a pass of the kernel sums, two side by side in a vector of two doubles. */
export const columnsInPass = 4;

/** Resamples that it sums them over. */
const resamples = 4;

const pageBytes = 65_536;

/** Sums of four columns over four resamples, as vectors of two doubles. */
interface VectorSums {
  /** How often each unit was drawn, by resample. */
  weights: readonly Float64Array[];
  /** Columns, in passes of four: by unit, the first two columns of a pass; then by unit, the other two. */
  columns: Float64Array;
  /** By column, its sum in each resample. */
  totals: Float64Array;
  run(): void;
}

/** What of WebAssembly is used; not in every runtime, and some refuse to compile. */
interface Runtime {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer };
  Instance: new (
    module: object,
    imports: object,
  ) => { exports: { sum(units: number, columns: number, totals: number): void } };
}

interface Compiled {
  runtime: Runtime;
  module: object;
}

/** Null where it can't be compiled, undefined before the first use. */
let compiled: Compiled | null | undefined;

/**
 * Memory and kernel that sum `passes` · 4 columns of `units` numbers over four resamples, with two products and two
 * additions an instruction. Each sum adds the same products in the same order as a loop over the units, so its bits are
 * the same. Null where WebAssembly can't be compiled, as in a Worker of Cloudflare.
 * @example vectorSums(1_000, 2)?.run()
 */
export function vectorSums(units: number, passes: number): VectorSums | null {
  if (compiled === undefined) compiled = compile();
  if (compiled === null) return null;
  const { runtime, module } = compiled;
  const doubles = units * resamples + passes * columnsInPass * (units + resamples);
  const memory = new runtime.Memory({ initial: Math.ceil((doubles * 8) / pageBytes) + 1 });
  const { sum } = new runtime.Instance(module, { m: { m: memory } }).exports;
  const view = (from: number, length: number) => new Float64Array(memory.buffer, from * 8, length);
  const [columnsAt, totalsAt] = [units * resamples, units * (resamples + passes * columnsInPass)];
  return {
    weights: Array.from({ length: resamples }, (_, r) => view(r * units, units)),
    columns: view(columnsAt, passes * columnsInPass * units),
    totals: view(totalsAt, passes * columnsInPass * resamples),
    run() {
      for (let pass = 0; pass < passes; pass++) {
        const columns = columnsAt + pass * columnsInPass * units;
        sum(units, columns * 8, (totalsAt + pass * columnsInPass * resamples) * 8);
      }
    },
  };
}

function compile(): Compiled | null {
  const runtime = (globalThis as { WebAssembly?: Runtime }).WebAssembly;
  if (runtime === undefined) return null;
  try {
    return { runtime, module: new runtime.Module(kernel()) };
  } catch {
    return null;
  }
}

/**
 * The module, instruction by instruction: for each unit it multiplies two pairs of columns by the unit's four weights
 * and adds the products to eight vectors, which it stores at the end.
 * Source: WebAssembly core specification 2.0, binary format.
 */
function kernel(): Uint8Array {
  const [units, columns, totals] = [0, 1, 2];
  const [end, weights, firstPair, secondPair] = [3, [4, 5, 6, 7], 8, 9] as const;
  const [x, y, weight, sums] = [10, 11, 12, 13] as const;
  const bytesOfUnits = [...get(units), ...constant(3), SHIFT_LEFT];
  const code = [
    bytesOfUnits,
    set(end),
    weights.flatMap((at, r) =>
      r === 0 ? [] : [...get(weights[r - 1]!), ...get(end), ADD, ...set(at)],
    ),
    [...get(columns), ...set(firstPair)],
    [...get(columns), ...get(end), ...constant(1), SHIFT_LEFT, ADD, ...set(secondPair)],
    [LOOP, NOTHING],
    [...get(firstPair), ...vector(LOAD), ...set(x)],
    [...get(secondPair), ...vector(LOAD), ...set(y)],
    weights.flatMap((at, r) => [
      ...get(at),
      ...vector(LOAD_BOTH),
      ...set(weight),
      ...addProduct(sums + r, x, weight),
      ...addProduct(sums + resamples + r, y, weight),
    ]),
    [firstPair, secondPair].flatMap((at) => [...get(at), ...constant(16), ADD, ...set(at)]),
    weights.toReversed().flatMap((at) => [...get(at), ...constant(8), ADD, ...set(at)]),
    [...get(weights[0]), ...get(end), LESS, REPEAT_IF, 0, END],
    Array.from({ length: 2 * resamples }, (_, k) =>
      [get(totals), get(sums + k), vector(STORE, 16 * k)].flat(),
    ).flat(),
    [END],
  ].flat();
  const locals = [2, 7, I32, 3 + 2 * resamples, V128];
  return Uint8Array.from([
    ...HEADER,
    ...section(1, [1, 0x60, 3, I32, I32, I32, 0]),
    ...section(2, [1, ...text("m"), ...text("m"), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text("sum"), 0, 0]),
    ...section(10, [1, ...sized([...locals, ...code])]),
  ]);
}

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const [I32, V128] = [0x7f, 0x7b];
const [ADD, SHIFT_LEFT, LESS] = [0x6a, 0x74, 0x49];
const [LOOP, NOTHING, REPEAT_IF, END] = [0x03, 0x40, 0x0d, 0x0b];
const [LOAD, LOAD_BOTH, STORE] = [0, 10, 11];
const [ADD_DOUBLES, MULTIPLY_DOUBLES] = [0xf0, 0xf2];

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const constant = (value: number) => [0x41, value];
/** A load or store of a vector, aligned to eight bytes. */
const vector = (code: number, offset = 0) => [0xfd, code, 3, ...unsigned(offset)];
const addProduct = (sum: number, a: number, b: number) =>
  [
    [...get(sum), ...get(a), ...get(b), 0xfd, ...unsigned(MULTIPLY_DOUBLES)],
    [0xfd, ...unsigned(ADD_DOUBLES), ...set(sum)],
  ].flat();
const section = (id: number, content: number[]) => [id, ...sized(content)];
const sized = (content: number[]) => [...unsigned(content.length), ...content];
const text = (name: string) => sized(Array.from(name, (char) => char.charCodeAt(0)));
/** LEB128, for numbers below 2¹⁴. */
const unsigned = (value: number) => (value < 128 ? [value] : [(value & 127) | 128, value >> 7]);
