/** The part of the standard class used here; every runtime has it. */
declare const URL: new (address: string, base?: string) => { href: string; hash: string };

/** Address of a schema: the document or resource, and the position in it. */
export interface SchemaAddress {
  /** Absolute, without fragment. */
  resource: string;
  /** Decoded, without `#`: a JSON pointer, an anchor, or empty for the whole resource. */
  fragment: string;
}

/** The base of a schema without `$id`; the domain is reserved and never resolves (RFC 2606). */
export const unnamedBase = "https://schema.invalid/";

/**
 * Resolves `reference` against `base`; null if it is not an address. Nothing is fetched.
 * Source: RFC 3986, section 5.
 * @example schemaAddress("b#/x%25", "https://a.example/a")
 * // { resource: "https://a.example/b", fragment: "/x%" }
 */
export function schemaAddress(reference: string, base: string): SchemaAddress | null {
  try {
    if (reference.startsWith("#")) {
      return { resource: base, fragment: decodeURIComponent(reference.slice(1)) };
    }
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = "";
    return { resource: url.href, fragment };
  } catch {
    return null;
  }
}

/**
 * The steps of a JSON pointer; null if it is invalid.
 * Source: RFC 6901.
 * @example pointerSteps("/a~1b/0") // ["a/b", "0"]
 */
export function pointerSteps(pointer: string): string[] | null {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return null;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Escapes `name` as one step of a JSON pointer.
 * Source: RFC 6901, section 3.
 * @example pointerStep("a/b") // "a~1b"
 */
export function pointerStep(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}
