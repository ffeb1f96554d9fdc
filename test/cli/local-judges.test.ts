import { expect, it } from "vitest";
import { readJudgeSettings } from "../../api/providers/judges.ts";
import { localJudges } from "../../cli/local/local-judges.ts";

const judges = [
  { id: "empathy", kind: "asked" },
  { id: "relevance", kind: "embeddings" },
];
const simulator = "http://localhost:8790/v1";

/** Settings as read by the Worker. */
function settingsFor(env: NodeJS.ProcessEnv) {
  const { vars, areReal } = localJudges(env, simulator, judges);
  const read = readJudgeSettings({ ...vars, ALLOW_PRIVATE_ENDPOINTS: "true" });
  if (!read.ok) throw new Error(read.error);
  return { ...read.value, areReal };
}

it("localJudges() simulates all judges without a key, at no cost", () => {
  const { providers, routes, prices, areReal } = settingsFor({ GEMINI_API_KEY: " " });
  const free = { inputPerMillion: 0, outputPerMillion: 0 };
  expect(prices["sim-judge-a"]).toMatchObject(free);
  expect(Object.keys(providers)).toEqual(["simulated"]);
  expect(routes["empathy"]).toBe("simulated:sim-judge-a");
  expect(areReal).toBe(false);
});

it("localJudges() ignores keys if ASSAY_JUDGES is simulated", () => {
  const env = { OPENAI_API_KEY: "sk-1", ASSAY_JUDGES: "simulated" };
  expect(localJudges(env, simulator, judges)).toEqual(localJudges({}, simulator, judges));
});

it("localJudges() uses the default judges of providers with a key, by their native APIs", () => {
  const { providers, routes, fallback, areReal } = settingsFor({
    OPENAI_API_KEY: "sk-1",
    ANTHROPIC_API_KEY: "sk-2",
    GEMINI_API_KEY: "sk-3",
  });
  expect(areReal).toBe(true);
  expect(routes).toEqual({});
  expect(fallback).toBe("openai:gpt-6.1-terra");
  expect(providers["openai"]).toMatchObject({
    baseUrl: "https://api.openai.com/v1",
    apiKey: "sk-1",
  });
  expect(providers["anthropic"]?.apiKey).toBe("sk-2");
  expect(providers["google"]).toMatchObject({
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    apiKey: "sk-3",
  });
});

it.each([
  ["OPENAI_API_KEY", "openai:gpt-6.1-terra"],
  ["GEMINI_API_KEY", "google:gemini-3.8-flash"],
  ["ANTHROPIC_API_KEY", "anthropic:claude-opus-5-5"],
])(
  "localJudges() judges all metrics with the one provider that has a key: %s",
  (name, fallback) => {
    const settings = settingsFor({ [name]: "sk-1" });
    expect(settings.fallback).toBe(fallback);
    const stages = name.startsWith("OPENAI")
      ? {}
      : { text_emotion: fallback, personality: fallback };
    expect(settings.routes).toEqual(stages);
  },
);

it("localJudges() accepts other base URLs and adds the API's usual path", () => {
  const { providers } = settingsFor({
    ANTHROPIC_API_KEY: "sk-1",
    ANTHROPIC_BASE_URL: "http://localhost:1234",
    GEMINI_API_KEY: "sk-2",
    GOOGLE_GEMINI_BASE_URL: "http://localhost:1234/",
    OPENAI_API_KEY: "sk-3",
    OPENAI_BASE_URL: "http://localhost:1234/proxy/v1/",
  });
  expect(providers["anthropic"]).toMatchObject({
    baseUrl: "http://localhost:1234/v1",
    protocol: "messages",
  });
  expect(providers["google"]).toMatchObject({
    baseUrl: "http://localhost:1234/v1beta",
    protocol: "generate_content",
  });
  expect(providers["openai"]?.baseUrl).toBe("http://localhost:1234/proxy/v1");
});

it("localJudges() refuses an unknown ASSAY_JUDGES and an invalid address", () => {
  expect(() => localJudges({ ASSAY_JUDGES: "real" }, simulator, judges)).toThrow(
    "ASSAY_JUDGES must be simulated or empty",
  );
  const env = { OPENAI_API_KEY: "sk-1", OPENAI_BASE_URL: "nowhere" };
  expect(() => localJudges(env, simulator, judges)).toThrow("OPENAI_BASE_URL must be an address");
});
