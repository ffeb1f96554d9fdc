import { contentHash } from "../contracts/content-hash.ts";
import { type Exchange, sectionsOf } from "./exchange.ts";
import type { Judge, Route } from "./judge.ts";
import { promptHash } from "./judge-prompt.ts";

/**
 * The key under which a judgment is kept, 64 hex digits: SHA-256 of the judge's model, of what it was told
 * and of what it was shown. A re-run pays only for what changed.
 * Source: specification of the memory suite, judges.
 * @example judgmentKey(empathy, { provider: "openai", model: "gpt-4o" }, exchange).length // 64
 */
export function judgmentKey(judge: Judge, { provider, model }: Route, exchange: Exchange): string {
  if (judge.kind === "embeddings") {
    const { id, version } = judge;
    return contentHash({ provider, model, id, version, texts: [...judge.texts(exchange)] });
  }
  const shown = sectionsOf(exchange, judge.sections).map(({ name, text }) => [name, text]);
  return contentHash({ provider, model, prompt: promptHash(judge), shown });
}
