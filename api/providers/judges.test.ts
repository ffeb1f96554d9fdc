import { describe, expect, it } from "vitest";
import { readJudgeSettings } from "./judges.ts";

const read = (env: Record<string, unknown>) => {
  const settings = readJudgeSettings(env);
  if (!settings.ok) throw new Error(settings.error);
  return settings.value;
};

describe("readJudgeSettings()", () => {
  it("offers the known providers that have a key", () => {
    expect(Object.keys(read({}).providers)).toEqual([]);
    const keys = { JUDGE_KEY_OPENAI: " sk-1 ", JUDGE_KEY_GOOGLE: "", JUDGE_KEY_ANTHROPIC: "sk-2" };
    const { providers } = read(keys);
    expect(providers).toEqual({
      openai: {
        baseUrl: "https://api.openai.com/v1",
        maxTokensParam: "max_completion_tokens",
        apiKey: "sk-1",
        simulated: false,
      },
      anthropic: {
        baseUrl: "https://api.anthropic.com/v1",
        maxTokensParam: "max_tokens",
        apiKey: "sk-2",
        simulated: false,
      },
    });
  });

  it("accepts custom providers with or without a key, and other addresses for known ones", () => {
    const own = { "my-proxy": { baseUrl: "https://proxy.example/v1" } };
    const local = { local: { baseUrl: "http://127.0.0.1:1/v1", keyless: true } };
    const openai = { openai: { baseUrl: "https://eu.example/v1" } };
    const JUDGES = { providers: { ...own, ...local, ...openai } };
    const { providers } = read({ JUDGES, JUDGE_KEY_MY_PROXY: "k", JUDGE_KEY_OPENAI: "k" });
    expect(Object.keys(providers).sort()).toEqual(["local", "my-proxy", "openai"]);
    expect(providers["my-proxy"]?.apiKey).toBe("k");
    expect(providers["local"]).not.toHaveProperty("apiKey");
    expect(providers["openai"]?.baseUrl).toBe("https://eu.example/v1");
    expect(Object.keys(read({ JUDGES }).providers)).toEqual(["local"]);
  });

  it("accepts a table or its JSON", () => {
    const JUDGES = {
      fallback: "gpt-4o",
      prices: { a: { inputPerMillion: 1000, outputPerMillion: 2000 } },
    };
    expect(read({ JUDGES: JSON.stringify(JUDGES) })).toEqual(read({ JUDGES }));
    expect(read({ JUDGES: "" })).toEqual(read({}));
  });

  it("refuses an address with a user name or password, without quoting it", () => {
    for (const baseUrl of ["https://me:hunter2@a.example/v1", "https://me:hunter2@a.exa mple/v1"]) {
      const settings = readJudgeSettings({
        JUDGES: { providers: { x: { baseUrl, keyless: true } } },
      });
      expect(settings.ok).toBe(false);
      expect(JSON.stringify(settings)).toContain("JUDGES /providers/x/baseUrl: must ");
      expect(JSON.stringify(settings)).not.toContain("hunter2");
    }
  });

  it("refuses a judge in the service's own zone unless private addresses are allowed", () => {
    const providers = { x: { baseUrl: "https://judge.acme.dev/v1", keyless: true } };
    const env = { JUDGES: { providers }, OWN_HOSTS: "assay.acme.dev" };
    expect(readJudgeSettings(env)).toEqual({
      ok: false,
      error: "JUDGES /providers/x/baseUrl: must be outside of this service's own zone",
    });
    expect(readJudgeSettings({ ...env, ALLOW_PRIVATE_ENDPOINTS: "true" }).ok).toBe(true);
    expect(readJudgeSettings({ ...env, OWN_HOSTS: "assay.other.dev" }).ok).toBe(true);
  });

  it.each([
    ["JUDGES is neither a table nor JSON", "{"],
    ["JUDGES /fallback:", { fallback: 1 }],
    ["JUDGES /concurrency:", { concurrency: 0 }],
    ["JUDGES /providers/x/baseUrl:", { providers: { x: { baseUrl: "nowhere" } } }],
    ["JUDGES /routs:", { routs: {} }],
  ])("reports %s for invalid settings", (message, JUDGES) => {
    const settings = readJudgeSettings({ JUDGES });
    expect(settings.ok ? "" : settings.error).toContain(message);
  });
});
