/** A start tag of a page. */
export interface PageTag {
  name: string;
  /** By name in lower case, as they are spelled in the page. */
  attributes: ReadonlyMap<string, string>;
}

const tag = /<([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:="[^"]*"|='[^']*'|=[^\s"'<>]+)?)*)\s*\/?>/gi;
const attribute = /\s+([^\s"'<>/=]+)(?:="([^"]*)"|='([^']*)'|=([^\s"'<>]+))?/g;

/** All start tags of a page of the site, in which a "<" is always a tag: hundreds of times faster than a document. */
export const pageTags = (html: string): PageTag[] =>
  [...html.matchAll(tag)].map(([, name = "", attributes = ""]) => ({
    name: name.toLowerCase(),
    attributes: new Map(
      [...attributes.matchAll(attribute)].map(([, its = "", ...values]) => [
        its.toLowerCase(),
        values.find((value) => value !== undefined) ?? "",
      ]),
    ),
  }));
