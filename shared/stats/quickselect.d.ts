/** The package comes without types; as far as they are used here. */
declare module "quickselect" {
  /** Rearranges `values` from `left` on so that `values[k]` is what it would be if they were sorted. */
  export default function quickselect(values: Float64Array, k: number, left?: number): void;
}
