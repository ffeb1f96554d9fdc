type Numbers = Float64Array | Uint32Array | Int32Array | Uint8Array;

/**
 * `array` if it has `length` elements, else a copy of twice its size, so appending costs O(1) a number.
 */
export function growArray<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array;
  const grown = new (array.constructor as new (length: number) => T)(
    Math.max(length, array.length * 2),
  );
  grown.set(array as never);
  return grown;
}
