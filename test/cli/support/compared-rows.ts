/** An answer with EQS 1. */
const right = '{"from": "Oslo", "to": "Rome"}';
/** One field of two is wrong: EQS 0.75. */
const half = '{"from": "Oslo", "to": "Bergen"}';
/** EQS 0. */
export const none = "no idea";

const string = { type: "string" };
/** A sample that expects `right`. */
export const sampleOf = (id: string, tags = {}) => ({
  id,
  text: "From Oslo to Rome.",
  expected_output: { from: "Oslo", to: "Rome" },
  tags,
  schema: { type: "object", properties: { from: string, to: string } },
});
export const ids = ["s1", "s2", "s3", "s4"];
export const samples = ids.map((id) => sampleOf(id));
const answersOf = (outputs: readonly string[], more = {}) =>
  outputs.map((output, i) => ({ id: ids[i], output, ...more }));

/** EQS 1, 1, 1, 0.75 and 1, 0.75, 0, 0.75: the differences are 0, 0.25, 1, 0. */
export const good = answersOf([right, right, right, half], { latencyMs: 300, outputTokens: 40 });
export const poor = answersOf([right, half, none, half], { latencyMs: 100, outputTokens: 20 });
