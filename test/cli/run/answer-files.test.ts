import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { answerFiles } from "../../../cli/local/answer-files.ts";
import { aFolder } from "../support/folder-with.ts";

const key = (i: number) => `${i}`.padStart(64, "0");
const block = "x".repeat(4_096);

it("answerFiles() returns stored answers, also in a later process, in files that only the owner can read", () => {
  const folder = join(aFolder(), "answers");
  const files = answerFiles(folder);
  expect([files.read(key(1)), files.write(key(1), "one")]).toEqual([null, true]);
  expect(answerFiles(folder).read(key(1))).toBe("one");
  const path = join(folder, "00", `${key(1)}.json`);
  for (const one of [folder, join(folder, "00"), path]) {
    expect(statSync(one).mode & 0o077).toBe(0);
  }
});

it("answerFiles() deletes the least recently used answers above its size, and no other files", () => {
  const folder = aFolder();
  writeFileSync(join(folder, "mine.json"), "mine");
  const files = answerFiles(folder, 5 * block.length);
  for (let i = 1; i <= 5; i++) files.write(key(i), block);
  expect(files.read(key(1))).toBe(block);
  files.write(key(6), block);
  const left = [1, 2, 3, 4, 5, 6].filter((i) => files.read(key(i)) !== null);
  expect(left).toEqual([1, 4, 5, 6]);
  expect(existsSync(join(folder, "mine.json"))).toBe(true);
});

it("answerFiles() refuses keys that are not hashes and answers that are too long", () => {
  const files = answerFiles(aFolder());
  expect(files.write("../../outside", "x")).toBe(false);
  expect(files.read("../mine")).toBeNull();
  expect(files.write(key(1), "x".repeat((1 << 20) + 1))).toBe(false);
});

it("answerFiles() stores nothing if it cannot write", () => {
  const path = join(aFolder(), "a file");
  writeFileSync(path, "");
  const files = answerFiles(path);
  expect([files.write(key(1), "one"), files.read(key(1))]).toEqual([false, null]);
});
