/** Characters that an XML 1.0 document can't contain, even escaped. Source: XML 1.0, production 2. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text as XML content or attribute; forbidden characters become U+FFFD. */
export const escapeXml = (text: string): string =>
  text.replace(forbidden, "\ufffd").replace(/[&<>"']/g, (char) => entities[char] ?? char);
