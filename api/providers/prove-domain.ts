import { parsedJson } from "#shared/contracts/json.ts";
import type { CallRules } from "../security/own-hosts.ts";
import { streamUrlProblem } from "../security/public-url.ts";
import { boundedBytes } from "./fetch-rows.ts";

const TIMEOUT_MS = 10_000;
/** Far more than one line, or the TXT records of a name. */
const MAX_BYTES = 16_384;
/** Type of TXT records (RFC 1035, 3.2.2). */
const TXT = 16;

/** Name of the DNS record, and path of the file, that prove ownership of a domain. */
export const proofName = (domain: string): string => `_assay.${domain}`;
export const proofUrl = (domain: string): string =>
  `https://${domain}/.well-known/assay-verification.txt`;

/** The content of both. */
export const proofText = (token: string): string => `assay-verification=${token}`;

export type ProveDomain = ReturnType<typeof domainProver>;

/**
 * Looks for the proof that a token's holder has a domain: in a TXT record, by DNS over HTTPS (RFC 8484's JSON form)
 * from a fixed resolver, or in a file on the domain's own server. Limited in time and size; follows no redirects,
 * because they may lead to another domain. Null if the proof exists, else why not. Never throws.
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

/** The TXT records in a resolver's reply, each joined from its quoted parts; none if the reply is something else. */
function txtRecords(reply: unknown): string[] {
  const { Answer: answers } = (reply ?? {}) as { Answer?: unknown };
  if (!Array.isArray(answers)) return [];
  return answers.flatMap((one: { type?: unknown; data?: unknown } | null) =>
    one?.type === TXT && typeof one.data === "string" ? one.data.replace(/"\s*"|^"|"$/g, "") : [],
  );
}
