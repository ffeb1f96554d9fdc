import { parsedJson } from "#shared/contracts/json.ts";
import type { CallRules } from "../security/own-hosts.ts";
import { streamUrlProblem } from "../security/public-url.ts";
import { boundedBytes } from "./fetch-rows.ts";

const TIMEOUT_MS = 10_000;
/** Far more than a line, or than the TXT records of a name. */
const MAX_BYTES = 16_384;
/** Type of TXT records (RFC 1035, 3.2.2). */
const TXT = 16;

/** Name of the record, and path of the file, that prove who has a domain. */
export const proofName = (domain: string): string => `_assay.${domain}`;
export const proofUrl = (domain: string): string =>
  `https://${domain}/.well-known/assay-verification.txt`;

/** What both of them contain. */
export const proofText = (token: string): string => `assay-verification=${token}`;

export type ProveDomain = ReturnType<typeof domainProver>;

/**
 * Looks for the proof that a token's holder has a domain: in a TXT record, by DNS over HTTPS (RFC 8484's JSON form) of a
 * fixed resolver, or in a file of the domain's own server. Bounded in time and size; follows no redirects, because where
 * they lead need not be the domain. Null if it is there, else why not. Never throws.
 */
export function domainProver(rules: CallRules, resolver: string, timeoutMs = TIMEOUT_MS) {
  const texts = async (url: string, accept: string): Promise<string | null> => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const headers = { accept, "user-agent": "assay" };
      const { status, body } = await fetch(url, { redirect: "manual", signal, headers });
      if (status === 200) {
        return new TextDecoder().decode(await boundedBytes(body, signal, MAX_BYTES));
      }
      await body?.cancel();
      return null;
    } catch {
      return null;
    }
  };
  const inDns = async (domain: string, proof: string): Promise<boolean> => {
    const query = new URLSearchParams({ name: proofName(domain), type: "TXT" });
    const reply = parsedJson((await texts(`${resolver}?${query}`, "application/dns-json")) ?? "");
    return txtRecords(reply).includes(proof);
  };
  const inFile = async (domain: string, proof: string): Promise<boolean> => {
    const url = proofUrl(domain);
    if (streamUrlProblem(url, rules) !== null) return false;
    const text = (await texts(url, "text/plain")) ?? "";
    return text.split("\n").some((line) => line.trim() === proof);
  };
  return async (domain: string, token: string): Promise<string | null> => {
    const proof = proofText(token);
    if ((await inDns(domain, proof)) || (await inFile(domain, proof))) return null;
    return `neither the TXT record of ${proofName(domain)} nor ${proofUrl(domain)} has "${proof}" (redirects are not followed)`;
  };
}

/** The TXT records of a resolver's reply, each one joined from its quoted parts; none if it is no such reply. */
function txtRecords(reply: unknown): string[] {
  const { Answer: answers } = (reply ?? {}) as { Answer?: unknown };
  if (!Array.isArray(answers)) return [];
  return answers.flatMap((one: { type?: unknown; data?: unknown } | null) =>
    one?.type === TXT && typeof one.data === "string" ? one.data.replace(/"\s*"|^"|"$/g, "") : [],
  );
}
