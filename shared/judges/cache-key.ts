import { contentHash } from "../contracts/content-hash.ts";
import type { Judge, Route } from "../contracts/judging/judge.ts";
import { promptHash } from "./judge-prompt.ts";
import { sectionsShown } from "./judge-request.ts";

/**
 * Cache key of a judgment, 64 hex digits: SHA-256 of the judge's model, its instructions and the material.
 * A re-run pays only for what changed.
 * Source: docs/spec/memory.md, judges.
 * @example judgmentKey(empathy, { provider: "openai", model: "gpt-4o" }, exchange).length // 64
 */
export function judgmentKey(judge: Judge, { provider, model }: Route, material: unknown): string {
  if (judge.kind === "embeddings") {
    const { id, version } = judge;
    return contentHash({ provider, model, id, version, texts: [...judge.texts(material)] });
  }
  const shown = sectionsShown(judge, material).map(({ name, text }) => [name, text]);
  return contentHash({ provider, model, prompt: promptHash(judge), shown });
}
