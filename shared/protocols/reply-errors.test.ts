import { expect, it } from "vitest";
import { StreamSize, TooLargeError } from "./reply-errors.ts";

it("StreamSize throws for an endless stream of empty chunks", () => {
  const size = new StreamSize();
  const endless = () => {
    for (let i = 0; i < 1_000_000; i++) size.grow("");
  };
  expect(endless).toThrow(TooLargeError);
});

it("StreamSize throws TooLargeError for a chunk that is nested too deep", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(90_000)}${"]".repeat(90_000)}`);
  expect(() => new StreamSize().grow({ args: deep })).toThrow(TooLargeError);
});
