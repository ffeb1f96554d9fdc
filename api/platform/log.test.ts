import { describe, expect, it } from "vitest";
import { tracedError } from "./log.ts";

const secret = "sk-live-0123";

describe("tracedError()", () => {
  it.each([
    ["a parser's error", new SyntaxError(`Unexpected token in ${secret}`), "SyntaxError"],
    [
      "a message with lines that look like frames",
      new Error(`x\n    at ${secret} (file.ts:1)`),
      "Error",
    ],
    ["a failed query", new Error(`Failed query: insert\nparams: ${secret}`), "Error"],
    [
      "a message of the platform that quotes a value",
      new Error(`D1_ERROR: near "${secret}"`),
      "Error",
    ],
    ["a cause", new Error("outer", { cause: new Error(secret) }), "Error"],
    ["a thrown string", secret, "string"],
  ])("logs no values of %s", (_, error, name) => {
    const traced = tracedError(error);
    expect(traced.error).toBe(name);
    expect(JSON.stringify(traced)).not.toContain(secret);
  });

  it("keeps known messages of the platform and the first frame", () => {
    const cause = new Error("D1_ERROR: UNIQUE constraint failed: runs.id: SQLITE_CONSTRAINT");
    const traced = tracedError(new Error("Failed query: x", { cause }));
    expect(traced.reason).toBe("D1_ERROR: UNIQUE constraint failed: runs.id: SQLITE_CONSTRAINT");
    expect(traced.at).toMatch(/^at .*log\.test\.ts/);
  });
});
