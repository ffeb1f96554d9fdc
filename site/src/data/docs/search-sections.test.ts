import { expect, it } from "vitest";
import { sectionsOf } from "./search-sections.ts";

const markdown = `# Guide

First [link](other.md) and \`code\`.

\`\`\`sh
# no heading
npm start
\`\`\`

## A part

| a | b |
| --- | --- |
| **one** | two |
`;

it("sectionsOf() splits text by headings, without markup or comments in code", () => {
  const headings = [
    { slug: "guide", text: "Guide" },
    { slug: "a-part", text: "A part" },
  ];
  expect(sectionsOf(markdown, headings, "/guides/g/")).toEqual([
    {
      href: "/guides/g/",
      page: "Guide",
      title: "Guide",
      text: "First link and code . sh no heading npm start",
    },
    { href: "/guides/g/#a-part", page: "Guide", title: "A part", text: "a b one two" },
  ]);
});

it("sectionsOf() of a text without headings is empty", () => {
  expect(sectionsOf("words", [], "/x/")).toEqual([]);
});
