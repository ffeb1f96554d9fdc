import type { KeyPath } from "./finding.ts";

/** What other programs' files call a key of ours. */
const modelAliases: Record<string, readonly string[]> = {
  base_url: ["api_base", "api_url", "endpoint", "endpoint_url"],
  model: ["model_name", "model_id"],
  api_key_env: ["api_key"],
  timeout: ["timeout_seconds", "request_timeout"],
  max_retries: ["retries"],
};
const promptAliases: Record<string, readonly string[]> = {
  system: ["system_prompt", "system_message"],
  user: ["user_prompt", "user_template", "user_prompt_template", "template"],
};

/** Other names of the keys of a section. */
export function sectionAliases(path: KeyPath): Record<string, readonly string[]> {
  if (path.length === 1 && path[0] === "prompts") return promptAliases;
  const isModel = path[0] === "model" ? path.length === 1 : path[0] === "models";
  return isModel && path.length <= 2 ? modelAliases : {};
}

/** Other names of one key. */
export const aliasesOf = (path: KeyPath, key: string): readonly string[] =>
  Object.hasOwn(sectionAliases(path), key) ? sectionAliases(path)[key]! : [];
