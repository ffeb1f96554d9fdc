import { describe, expect, it } from "vitest";
import { anExchange } from "./__fixtures__/judgments.ts";
import { withManner } from "./judge-manner.ts";
import { promptHash, systemPrompt } from "./judge-prompt.ts";
import { judgeRequest, judgmentKey } from "./judge-request.ts";
import { empathy } from "./metrics/empathy.ts";
import { relevance } from "./metrics/relevance.ts";

describe("withManner()", () => {
  it("leaves a judge as it is in the standard manner, and embeddings in any", () => {
    expect(withManner(empathy, {})).toBe(empathy);
    expect(withManner(empathy, { strictness: "standard", judgeSeed: null })).toBe(empathy);
    expect(withManner(relevance, { strictness: "strict", judgeSeed: 1 })).toBe(relevance);
  });

  it("tells the judge to be strict or lenient, and sends the seed", () => {
    const strict = withManner(empathy, { strictness: "strict" });
    expect(systemPrompt(strict)).toContain("Be strict: where two grades fit, give the lower one");
    expect(systemPrompt(withManner(empathy, { strictness: "lenient" }))).toContain("Be lenient:");
    const seeded = withManner(empathy, { judgeSeed: 7 });
    expect(judgeRequest(seeded, anExchange())).toMatchObject({ seed: 7, temperature: 0 });
    expect(judgeRequest(empathy, anExchange())).not.toHaveProperty("seed");
    expect(systemPrompt(seeded)).toBe(systemPrompt(empathy));
  });

  it("is another judging in each manner: hash and cache key differ, the same object otherwise", () => {
    const manners = [{}, { strictness: "strict" }, { judgeSeed: 1 }, { judgeSeed: 2 }] as const;
    const judges = manners.map((manner) => withManner(empathy, manner));
    expect(new Set(judges.map(promptHash)).size).toBe(4);
    const keys = judges.map((judge) => judgmentKey(judge, empathy.route, anExchange()));
    expect(new Set(keys).size).toBe(4);
    expect(manners.map((manner) => withManner(empathy, manner))).toEqual(judges);
    expect(withManner(empathy, { judgeSeed: 2 })).toBe(judges[3]);
  });
});
