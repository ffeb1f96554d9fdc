import { expect, test } from "vitest";
import type { NoteBlock } from "../../../contracts/report.ts";
import { asFolded, foldedLast } from "./blocks.ts";

const note = (title: string): NoteBlock => ({ kind: "note", title, tone: "neutral", text: "" });

test("foldedLast() moves what is folded behind the rest, each in its order", () => {
  const blocks = [...asFolded([note("a")]), note("b"), ...asFolded([note("c")]), note("d")];
  expect(foldedLast(blocks).map(({ title }) => title)).toEqual(["b", "d", "a", "c"]);
});
