import { expect, test } from "vitest";
import type { NoteBlock } from "../../../contracts/report.ts";
import { chartsFirst, folded } from "./blocks.ts";

const note = (title: string): NoteBlock => ({ kind: "note", title, tone: "neutral", text: "" });

test("chartsFirst() moves what is folded behind the rest, each in its order", () => {
  const blocks = [...folded([note("a")]), note("b"), ...folded([note("c")]), note("d")];
  expect(chartsFirst(blocks).map(({ title }) => title)).toEqual(["b", "d", "a", "c"]);
});
