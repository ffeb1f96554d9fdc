/** Types of the parts used here; the package has no types. */
declare module "stopword" {
  /** English words that carry no topic, in lower case. */
  export const eng: readonly string[];
}
