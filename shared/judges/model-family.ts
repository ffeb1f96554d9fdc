/** Words in a model's name that identify its maker. */
const makers: Readonly<Record<string, RegExp>> = {
  anthropic: /claude|anthropic/,
  openai: /gpt(?!-?(?:neo|j\b))|chatgpt|openai|davinci|codex|(?<![a-z])o[1-9](?![a-z0-9])/,
  eleutherai: /eleuther|gpt-?(?:neo|j\b)|pythia/,
  google: /gemini|gemma|palm|google/,
  meta: /llama|(?<![a-z])meta(?![a-z])/,
  mistral: /mistral|mixtral|ministral|codestral|magistral|devstral|pixtral/,
  qwen: /qwen|qwq|tongyi/,
  deepseek: /deepseek/,
  xai: /grok|(?<![a-z])xai(?![a-z])/,
  cohere: /cohere|command-[ra]|(?<![a-z])aya(?![a-z])/,
  microsoft: /(?<![a-z])phi(?![a-z])|microsoft/,
  amazon: /(?<![a-z])nova(?![a-z])|titan|amazon/,
  zhipu: /chatglm|(?<![a-z])glm(?![a-z])|zhipu/,
  moonshot: /kimi|moonshot/,
  minimax: /minimax/,
  ibm: /granite/,
  nvidia: /nemotron/,
};

/**
 * The makers named in a model's name; a model tuned from another maker's model has both. Empty if none is known.
 * @example makersOf("deepseek-r1-distill-llama-70b") // ["meta", "deepseek"]
 */
export function makersOf(model: string): string[] {
  const name = model.toLowerCase();
  return Object.keys(makers).filter((maker) => makers[maker]!.test(name));
}

/**
 * Whether judge and judged model are from the same maker, so that the judge may prefer texts like its own. Models of
 * unknown makers match only if their names are equal.
 * Source: Panickssery et al. 2024, "LLM Evaluators Recognize and Favor Their Own Generations";
 * docs/spec/memory.md, judges.
 * @example isSelfPreference("gpt-4o-2024-11-20", "acme/gpt-5-mini") // true
 */
export function isSelfPreference(judgeModel: string, judgedModel: string): boolean {
  if (judgeModel.toLowerCase() === judgedModel.toLowerCase()) return true;
  const judged = new Set(makersOf(judgedModel));
  return makersOf(judgeModel).some((maker) => judged.has(maker));
}
