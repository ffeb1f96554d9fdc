// A program that Assay evaluates: a JSON line in, a JSON line out. Needs Node 20 or later, nothing else.
//
//   assay run extraction --exec "node examples/program/answer.mjs" --processes 1 --dataset stock --sample 20
//
// Replace answer() by your own pipeline. It works on several lines at once, so one process is enough. This one asks a model
// (MODEL_URL, MODEL_NAME, MODEL_API_KEY; by default the simulated one of npm start).
import { createInterface } from "node:readline";

const { MODEL_URL = "http://localhost:8790/v1", MODEL_NAME = "sim-medium" } = process.env;
const { MODEL_API_KEY = "any" } = process.env;

/** The answer to one request. It has `messages`, `input` (the sample without prompt), `schema` and `tools`. */
async function answer({ messages, tools }) {
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${MODEL_API_KEY}` },
    body: JSON.stringify({ model: MODEL_NAME, messages, tools, temperature: 0 }),
  });
  if (!response.ok) throw new Error(`the model answered with ${response.status}`);
  const { choices, usage } = await response.json();
  const { content, tool_calls: calls = [] } = choices[0].message;
  return {
    text: content,
    tool_calls: calls.map((call) => call.function),
    usage: { input_tokens: usage?.prompt_tokens, output_tokens: usage?.completion_tokens },
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...request } = JSON.parse(line);
  answer(request).then(
    (reply) => console.log(JSON.stringify({ id, ...reply })),
    (error) => console.log(JSON.stringify({ id, error: error.message })),
  );
}
