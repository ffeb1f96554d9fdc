/** Types for the part of the package used here; it has none. */
declare module "quickselect" {
  /** Reorders `values` from `left` on so that `values[k]` is the value it would have if sorted. */
  export default function quickselect(values: Float64Array, k: number, left?: number): void;
}
