const models = ["sim-judge-a", "sim-judge-b", "sim-judge-c"];

const stages = {
  text_emotion: "simulated:sim-judge-a",
  personality: "simulated:sim-judge-a",
  speech_emotion: "simulated:sim-audio",
  text_to_speech: "simulated:sim-speech",
};

const price = { inputPerMillion: 1, outputPerMillion: 4 };

/** The part of a suite's judge that determines its model. */
export interface SuiteJudge {
  id: string;
  kind: string;
}

/**
 * The judges of a service on this machine, simulated: the metrics of suites are distributed over several models,
 * as in a real deployment. Runs may name any other judge, such as one of a provider whose key is in
 * `.assay/secrets.env`. Prices are invented, so that reports show costs.
 */
export function simulatedJudges(baseUrl: string, judges: readonly SuiteJudge[]) {
  const routes = judges.map(({ id, kind }, i) => {
    const model = kind === "embeddings" ? "sim-embedding" : models[i % models.length];
    return [id, `simulated:${model}`];
  });
  return {
    providers: { simulated: { baseUrl, keyless: true, simulated: true, batches: "openai" } },
    routes: { ...Object.fromEntries(routes), ...stages },
    models: ["*"],
    concurrency: 200,
    prices: Object.fromEntries([...models, "sim-embedding"].map((model) => [model, price])),
  };
}
