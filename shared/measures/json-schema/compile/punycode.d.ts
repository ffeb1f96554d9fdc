/** Types for the part of punycode.js used here; the package has none. */
declare module "punycode.js" {
  const punycode: {
    /** Decodes a label without its `xn--`; throws if it is not Punycode. */
    decode(encoded: string): string;
  };
  export default punycode;
}
