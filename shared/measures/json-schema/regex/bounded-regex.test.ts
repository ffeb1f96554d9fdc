import { expect, it, test } from "vitest";
import { BoundedRegex } from "./bounded-regex.ts";

/** All matches with their groups, as JSONata finds them. */
function found(regex: RegExp, text: string) {
  const all: unknown[] = [];
  regex.lastIndex = 0;
  for (let at = regex.exec(text); at !== null && all.length < 50; at = regex.exec(text)) {
    all.push([at.index, ...at]);
    if (at[0] === "") regex.lastIndex++;
  }
  return all;
}

test.each<[RegExp, string]>([
  [/(\w+)@(\w+)\.(?<end>[a-z]+)/g, `${"x".repeat(1_000)} a@b.org, c@d.com`],
  [/^total: *(\d+)$/gim, `${"TOTAL: 12\nnet: 5\n".repeat(400)}`],
  [/(?<=#)\d+|\s+$/g, `${"#1 ".repeat(600)}`],
  [/(["'])(.*?)\1/gi, `${"say 'a' and \"b\" ".repeat(300)}`],
  [/(a+)+$/g, "a".repeat(3_000)],
])("BoundedRegex finds the same matches as %s in a long text", (regex, text) => {
  expect(found(new BoundedRegex(regex), text)).toEqual(found(regex, text));
});

test.each([
  /(a+)+$/g,
  /(A|B|AB)*c$/gi,
  new RegExp(`${"(?:a|a)".repeat(60)}$`, "g"),
  /^(\w+\s?)*\1$/gm,
])("BoundedRegex throws for expression %# on a text that causes long backtracking", (regex) => {
  const bounded = new BoundedRegex(regex);
  expect(() => bounded.exec(`${"ab".repeat(40)}${"a".repeat(100)}!`)).toThrow(
    "takes too many steps on a text of 181 characters: simplify it",
  );
});

it("BoundedRegex throws for an expression nested too deep to parse, except on an empty text", () => {
  const deep = new BoundedRegex(new RegExp(`${"(?:".repeat(4_000)}a?${")".repeat(4_000)}`, "g"));
  expect(() => deep.exec("a")).toThrow("takes too many steps on a text of 1 characters");
  expect(deep.exec("")?.index).toBe(0);
});
