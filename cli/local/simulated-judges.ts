import { suites } from "#shared/suites/registry.ts";

/**
 * The judges of a service on this machine, played by the simulator: a panel's worth of them for metrics in
 * turn, as a real deployment has several. Runs may name any other, such as one of a provider whose key
 * stands in `.assay/secrets.env`. Prices are made up, so that reports have a cost to show.
 */
export function simulatedJudges(baseUrl: string) {
  const judges = suites.flatMap((suite) => suite.judging?.judges ?? []);
  const routes = judges.map(({ id, kind }, i) => {
    const model = kind === "embeddings" ? "sim-embedding" : models[i % models.length];
    return [id, `simulated:${model}`];
  });
  return {
    providers: { simulated: { baseUrl, keyless: true, simulated: true } },
    routes: { ...Object.fromEntries(routes), ...stages },
    models: ["*"],
    concurrency: 200,
    prices: Object.fromEntries([...models, "sim-embedding"].map((model) => [model, price])),
  };
}

const models = ["sim-judge-a", "sim-judge-b", "sim-judge-c"];

const stages = {
  text_emotion: "simulated:sim-judge-a",
  personality: "simulated:sim-judge-a",
  speech_emotion: "simulated:sim-audio",
  text_to_speech: "simulated:sim-speech",
};

const price = { inputPerMillion: 1, outputPerMillion: 4 };
