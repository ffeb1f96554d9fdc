const object = (properties: object) => ({ type: "object", properties });
const string = { type: "string" };

/** A dataset of three samples. */
export const samples = [
  {
    id: "fee",
    text: "The annual fee is EUR 120.",
    schema: object({ amount: { type: "number" }, currency: string }),
    expected_output: { amount: 120, currency: "EUR" },
  },
  {
    id: "trip",
    text: "Ana flies from Lisbon to Oslo.",
    schema: object({ from: string, to: string }),
    expected_output: { from: "Lisbon", to: "Oslo" },
  },
  {
    id: "team",
    text: "The team: Ida (lead) and Noor.",
    schema: object({ members: { type: "array", items: string } }),
    expected_output: { members: ["Ida", "Noor"] },
  },
];

/** One answer each: correct, half correct, and correct after some words. */
export const answers = [
  { id: "fee", output: '{"amount": 120, "currency": "EUR"}', latencyMs: 100, outputTokens: 9 },
  { id: "trip", output: '{"from": "Lisbon", "to": "Bergen"}', latencyMs: 300, outputTokens: 8 },
  { id: "team", output: 'Sure! {"members": ["Ida", "Noor"]}', latencyMs: 200, outputTokens: 7 },
];
