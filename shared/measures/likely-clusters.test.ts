import { expect, test } from "vitest";
import { likelyClustersText } from "../contracts/datasets/likely-clusters.ts";
import type { Suite } from "../contracts/suite.ts";
import { suiteById } from "../suites/registry.ts";
import { addSource, likelyClusters, noSources, sourceOf } from "./likely-clusters.ts";

const extraction = suiteById("extraction")!;

const found = (
  samples: readonly { sample: unknown; tags?: Record<string, string> }[],
  suite: Suite = extraction,
) => {
  const tally = noSources();
  for (const { sample, tags = {} } of samples) addSource(tally, suite, { sample, tags });
  return likelyClusters(tally);
};
const texts = (list: readonly string[]) => list.map((text) => ({ sample: { text } }));

test("likelyClusters() finds questions about equal documents", () => {
  expect(found(texts(["a", "a", " a ", "b", "b", "c", "d"]))).toEqual({
    by: "document",
    samples: 5,
    groups: 2,
  });
});

test.each([
  ["different documents", ["a", "b", "c", "d"]],
  ["samples that all share one document", ["a", "a", "a", "a"]],
  ["empty documents", ["", "", " ", "a"]],
  ["few equal documents", ["a", "a", ..."bcdefghijklmnopq"]],
  ["no samples", []],
])("likelyClusters() finds nothing in %s", (_, list) => {
  expect(found(texts(list))).toBeNull();
});

test("likelyClusters() finds identifying tags, and prefers the larger groups", () => {
  const sample = (i: number, tags: Record<string, string>) => ({ sample: { text: `${i}` }, tags });
  const sessions = [0, 1, 2, 3].map((i) => sample(i, { session_id: `s${i >> 1}` }));
  expect(found(sessions)).toEqual({ by: "tag session_id", samples: 4, groups: 2 });
  const users = [..."aaabbb"].map((user, i) => sample(i >> 1, { User: user }));
  expect(found(users)).toEqual({ by: "tag User", samples: 6, groups: 2 });
  const tickets = [0, 1, 2, 3].map((i) => sample(i, { ticketId: `t${i >> 1}`, topic: "a" }));
  expect(found(tickets)?.by).toBe("tag ticketId");
  const kinds = [..."aaabbb"].map((document, i) => sample(i, { document, topic: document }));
  expect(found(kinds)).toBeNull();
});

test("likelyClusters() is null if a sample has the tag cluster", () => {
  const samples = texts(["a", "a", "b", "b"]);
  expect(found([...samples, { sample: { text: "c" }, tags: { cluster: "c" } }])).toBeNull();
});

test("every suite except slots defines the text that samples of one source share", () => {
  const tools = suiteById("tools")!;
  const asked = (content: string) => ({
    sample: {
      messages: [
        { role: "system", content: "Call." },
        { role: "user", content },
      ],
    },
  });
  expect(found([asked("a"), asked("a"), asked("b")], tools)?.by).toBe("conversation");
  const quality = suiteById("quality")!;
  expect(sourceOf(quality, "prompt", { sample: { prompt: "p" }, tags: {} })).toMatch(
    /^prompt [0-9a-f]{8}$/,
  );
  const memory = suiteById("memory")!;
  const profiles = [{ b: "1", a: "2" }, { a: "2", b: "1" }, { a: "3" }, {}];
  expect(
    found(
      profiles.map((profile) => ({ sample: { memory: profile } })),
      memory,
    ),
  ).toMatchObject({
    by: "profile",
    samples: 2,
  });
  expect(suiteById("slots")!.source).toBeUndefined();
});

test("likelyClustersText() describes the shared text or tag in a sentence", () => {
  expect(likelyClustersText({ by: "document", samples: 1_200, groups: 400 }, 2_000)).toBe(
    "1,200 of 2,000 samples share their document with another sample (400 different ones)",
  );
  expect(likelyClustersText({ by: "tag user", samples: 4, groups: 2 }, 5)).toContain(
    'share a value of the tag "user" with another sample',
  );
});

test("addSource() counts at most five sources per sample", () => {
  const tally = noSources();
  const names = ["session", "Session", "SESSION", "user", "User", "thread", "patient"];
  for (let i = 0; i < 8; i++) {
    const tags = Object.fromEntries(names.map((name) => [name, `${i >> 1}`]));
    addSource(tally, extraction, { sample: { text: `${i}` }, tags });
  }
  expect(tally.sources.size).toBeLessThanOrEqual(5);
  expect(likelyClusters(tally)?.by).toBe("tag session");
});
