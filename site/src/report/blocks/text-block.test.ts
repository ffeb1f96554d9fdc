import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { TextBlock } from "./TextBlock.tsx";

const drawn = (isLoose: boolean) => {
  const marks = [{ from: 0, to: 3, tone: "good" as const, label: "Found", isLoose }];
  const block = { kind: "text" as const, title: "Text", text: "Ada ran", marks, left: 0 };
  const html = String(TextBlock({ block: { ...block, isCode: false } }));
  return new JSDOM(html).window.document;
};

it.each([true, false])(
  "TextBlock() distinguishes loose matches from verbatim ones, loose: %s",
  (isLoose) => {
    const document = drawn(isLoose);
    expect(document.querySelector("mark")?.textContent).toBe("Ada");
    expect(document.querySelector("mark")?.classList.contains("loose")).toBe(isLoose);
    expect(document.body.textContent.includes("A dashed line")).toBe(isLoose);
  },
);

it.each([
  ["a short text", "Ada ran.", false],
  ["many lines", "a\n".repeat(20), true],
  ["a long line", "a ".repeat(400), true],
])("TextBlock() makes text focusable if it may scroll: %s", (_, text, isFocusable) => {
  const block = { kind: "text" as const, title: "Text", text, marks: [], left: 0, isCode: false };
  const quoted = new JSDOM(String(TextBlock({ block }))).window.document.querySelector(".quoted");
  expect(quoted?.getAttribute("tabindex")).toBe(isFocusable ? "0" : null);
  expect(quoted?.getAttribute("aria-label")).toBe(isFocusable ? "Text" : null);
});
