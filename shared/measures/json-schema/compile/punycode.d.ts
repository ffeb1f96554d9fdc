/** The part of punycode.js that is used here; it has no types of its own. */
declare module "punycode.js" {
  const punycode: {
    /** The text of a label without its `xn--`; throws where it is not Punycode. */
    decode(encoded: string): string;
  };
  export default punycode;
}
