import { suites } from "../../shared/suites/registry.ts";

const judges = suites.flatMap((suite) => suite.judging?.judges ?? []);

/** The simulated judge of every metric. */
export const judgeModel = "sim-judge-a";

/** An invented price of judgments, so that reports show a cost. */
export const judgePrice = { inputPerMillion: 1, outputPerMillion: 4 };

/** The deployment's variable JUDGES: one simulated judge, without network requests. */
export const judgeSettings = {
  providers: { simulated: { baseUrl: "http://localhost/v1", keyless: true, simulated: true } },
  routes: {
    ...Object.fromEntries(
      judges.map(({ id, kind, routeName = id }) => [
        routeName,
        `simulated:${kind === "embeddings" ? "sim-embedding" : judgeModel}`,
      ]),
    ),
    text_emotion: `simulated:${judgeModel}`,
    personality: `simulated:${judgeModel}`,
    speech_emotion: "simulated:sim-audio",
    text_to_speech: "simulated:sim-speech",
  },
  prices: { [judgeModel]: judgePrice },
};
