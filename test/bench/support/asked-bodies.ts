import type { JsonObject } from "../../../shared/contracts/json.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { chatCompletions } from "../../../shared/protocols/chat-completions.ts";
import { suiteById } from "../../../shared/suites/registry.ts";

const suite = suiteById("extraction") as Suite;
const options: unknown = suite.optionsSchema.parse({});

/** The request bodies that the service sends for rows of the suite `extraction`, with streaming. */
export const askedBodies = (
  rows: readonly JsonObject[],
  endpoint: { baseUrl: string; model: string },
): JsonObject[] =>
  rows.map((row) => {
    const checked = suite.checkSample(row);
    if (!checked.ok) throw new Error(`${row["id"]}: ${checked.error}`);
    const step = suite.next({ samples: [checked.value.sample], options, repeat: 0 }, []);
    if (step.kind === "done") throw new Error(`${row["id"]}: the suite sends no request`);
    return chatCompletions.body({
      endpoint: { ...endpoint, maxTokensParam: "max_tokens" },
      request: step.request,
      // The mode that the service chooses for each sample, because it accepts every schema.
      mode: "json_schema",
      refused: new Set(),
      streams: true,
    });
  });
