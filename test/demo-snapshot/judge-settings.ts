import { suites } from "../../shared/suites/registry.ts";

const judges = suites.flatMap((suite) => suite.judging?.judges ?? []);

/** The simulated judge that every metric is judged by. */
export const judgeModel = "sim-judge-a";

/** What a judgment costs at a made-up price, so that reports have a cost to show. */
export const judgePrice = { inputPerMillion: 1, outputPerMillion: 4 };

/** The deployment's variable JUDGES: one simulated judge, of whom nothing is asked over the network. */
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
