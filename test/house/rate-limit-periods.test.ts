import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { periodsSeconds, type RequestKind } from "../../api/platform/rate-limiter.ts";
import { root } from "../../cli/local/root.ts";

const configuration = readFileSync(join(root, "wrangler.toml"), "utf8");

/** The periods of a binding, in production and in local development. */
const periodsOf = (binding: string) =>
  [...configuration.matchAll(/^name = "(\w+)"\n.*\n.*period = (\d+)/gm)]
    .filter(([, name]) => name === binding)
    .map(([, , period]) => Number(period));

it.each<[RequestKind, string]>([
  ["read", "LIMIT_READS"],
  ["write", "LIMIT_WRITES"],
  ["public-read", "LIMIT_PUBLIC_READS"],
  ["comparison", "LIMIT_COMPARISONS"],
  ["costly-read", "LIMIT_COSTLY_READS"],
  ["test", "LIMIT_TESTS"],
  ["failed-authentication", "LIMIT_FAILED_KEYS"],
])("the period of %s requests is that of %s in wrangler.toml", (kind, binding) => {
  const period = periodsSeconds[kind];
  expect(periodsOf(binding)).toEqual([period, period]);
});
