import fc from "fast-check";
import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { escapeXml } from "./xml.ts";

it.each([
  ["plain", "plain"],
  [`"><script>alert('1')</script>`, "&quot;&gt;&lt;script&gt;alert(&apos;1&apos;)&lt;/script&gt;"],
  ["]]> & &amp;", "]]&gt; &amp; &amp;amp;"],
  ["a\u0000b\u000bc\ud800d\uffff", "a\ufffdb\ufffdc\ufffdd\ufffd"],
  ["tab\tand 😀", "tab\tand 😀"],
])("escapeXml(%j) is %j", (text, escaped) => {
  expect(escapeXml(text)).toBe(escaped);
});

it("escapeXml() escapes text so that an XML parser restores it", () => {
  const { DOMParser } = new JSDOM("").window;
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const xml = `<a>${escapeXml(text)}</a>`;
      const root = new DOMParser().parseFromString(xml, "application/xml").documentElement;
      expect(root.tagName).toBe("a");
      expect(root.children).toHaveLength(0);
    }),
  );
});
