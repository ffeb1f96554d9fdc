import type { CallRules } from "./own-hosts.ts";
import { type Advice, publicUrlProblem } from "./public-url.ts";

const advice: Advice = {
  example: "https://api.example.com/v1",
  credentials: "give the key as apiKey",
  port: "serve the model on another, such as 443 or 8000",
  query: "/chat/completions is added to it",
};

/** Why an endpoint's address may not be called, worded to follow its name; null when it may. */
export const endpointUrlProblem = (address: string, rules: CallRules): string | null =>
  publicUrlProblem(address, rules, advice);
