/** Types for the package, which has none; only what is used here. */
declare module "quickselect" {
  /** Reorders `values` from `left` on so that `values[k]` is the value it would have if sorted. */
  export default function quickselect(values: Float64Array, k: number, left?: number): void;
}
