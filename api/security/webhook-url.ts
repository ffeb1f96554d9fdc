import type { CallRules } from "./own-hosts.ts";
import { type Advice, publicUrlProblem } from "./public-url.ts";

const advice: Advice = {
  example: "https://example.com/hooks/assay",
  credentials: "the signature says who calls",
  port: "listen on another, such as 443 or 8443",
  query: null,
};

/** Why a webhook's address may not be called, worded to follow its name; null when it may. */
export const webhookUrlProblem = (address: string, rules: CallRules): string | null =>
  publicUrlProblem(address, rules, advice);
