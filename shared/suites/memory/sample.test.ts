import { describe, expect, it } from "vitest";
import { aRow, aSample } from "./__fixtures__/build.ts";
import { checkSample } from "./sample.ts";

const keyNames = Array.from({ length: 501 }, (_, i) => `key ${i}`);
const turn = { role: "user", content: "Hello" };

describe("checkSample()", () => {
  it("accepts a complete row and a minimal row", () => {
    expect(aSample({ human: { empathy: [4, 5, null], safety: 1 } })).toMatchObject({
      emotion: { text: { joy: 0.75 }, speech: null },
      human: { scores: { empathy: 4.5, safety: 1 }, answerHash: null },
    });
    expect(checkSample({ id: "a", query: "Why?", memory: {} })).toEqual({
      ok: true,
      value: {
        sample: {
          id: "a",
          query: "Why?",
          memory: {},
          tags: {},
          human: { scores: {}, answerHash: null },
          history: [],
          required_keys: [],
          forbidden_keys: [],
          neutral_keys: [],
          audio: null,
          emotion: { speech: null, text: null },
          personality: null,
        },
        warnings: [],
      },
    });
  });

  it("converts facts that are not text to JSON, and omits null facts", () => {
    const memory = { age: 41, pets: ["cat"], name: null };
    expect(aSample({ memory }).memory).toEqual({ age: "41", pets: '["cat"]' });
  });

  it.each<[string, unknown, string]>([
    ["a number", 1, "not a JSON object"],
    ["no id", aRow({ id: "" }), "id must be"],
    ["no query", aRow({ query: " " }), "query must be"],
    ["a long query", aRow({ query: "x".repeat(200_001) }), "200001 characters"],
    ["no memory", aRow({ memory: undefined }), "memory must be"],
    ["a memory of lists", aRow({ memory: [] }), "memory must be"],
    [
      "a memory with too many keys",
      aRow({ memory: Object.fromEntries(keyNames.map((key) => [key, "x"])) }),
      "more than 500 keys",
    ],
    ["a memory too long", aRow({ memory: { a: "x".repeat(200_001) } }), "more than 200000 char"],
    ["a key without a name", aRow({ memory: { " ": "x" } }), "without a name"],
    ["keys that are not a list", aRow({ required_keys: "knee" }), "required_keys must be a list"],
    ["a list of too many keys", aRow({ required_keys: keyNames }), "more than 500 keys"],
    ["an emotion that is not an object", aRow({ emotion: "joy" }), "emotion must be an object"],
    ["a turn that is not an object", aRow({ history: ["Hello"] }), "history must be"],
    ["too many turns", aRow({ history: Array(201).fill(turn) }), "more than 200 turns"],
    ["a key that is not text", aRow({ neutral_keys: [1] }), "neutral_keys must be a list"],
    [
      "a key in two lists",
      aRow({ forbidden_keys: ["knee"] }),
      '"knee" is in required_keys and in forbidden_keys',
    ],
    ["an unknown emotion", aRow({ emotion: { text: { love: 1 } } }), "emotion.text may have"],
    ["an unknown source", aRow({ emotion: { face: {} } }), "emotion may have speech and text"],
    ["a missing trait", aRow({ personality: { openness: 1 } }), "personality lacks"],
    ["a trait above 1", aRow({ personality: { openness: 2 } }), "from 0 to 1, not 2"],
    ["an unknown trait", aRow({ personality: { humour: 1 } }), 'not "humour"'],
    ["empty audio", aRow({ audio: "" }), "audio must be"],
    ["a turn of the system", aRow({ history: [{ role: "system", content: "x" }] }), "history"],
    ["a turn without content", aRow({ history: [{ role: "user" }] }), "history must be"],
    ["tags that are numbers", aRow({ tags: { a: 1 } }), "tags must be"],
    ["a score for an unknown metric", aRow({ human: { charm: 3 } }), 'not "charm"'],
    ["a level above 5", aRow({ human: { empathy: 6 } }), "human.empathy must be"],
    ["a share above 1", aRow({ human: { safety: 3 } }), "from 0 to 1"],
  ])("refuses %s", (_, row, error) => {
    expect(checkSample(row)).toEqual({ ok: false, error: expect.stringContaining(error) });
  });

  it("warns about required keys that the memory lacks, and about facts in no list", () => {
    const checked = checkSample(aRow({ required_keys: ["knee", "sport"], neutral_keys: [] }));
    expect(checked.ok && checked.value.warnings).toEqual([
      'required but not in memory: "sport"',
      'in memory but in no list, so not counted: "job"',
    ]);
  });

  it("does not warn about forbidden keys that the memory lacks", () => {
    const checked = checkSample(aRow({ forbidden_keys: ["diet", "secret"] }));
    expect(checked.ok && checked.value.warnings).toEqual([]);
  });
});
