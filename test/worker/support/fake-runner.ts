import type { Platform } from "../../../api/platform/platform.ts";
import { base64url } from "../../../api/security/base64url.ts";
import { publicKeyOf } from "../../../api/security/signer.ts";
import {
  type Leased,
  type RunnerReply,
  type RunnerWork,
  signedReplyText,
} from "../../../shared/contracts/submissions/runner.ts";
import { serve } from "./client.ts";
import { anAccount } from "./harness.ts";

export type Taken = RunnerWork["requests"][number];

const accounts = {
  acme: anAccount("acme", { scopes: ["runner"] }),
  mallory: anAccount("mallory", { scopes: ["runner"] }),
  submitter: anAccount("acme", { scopes: ["submit"] }),
};

/** An endpoint's reply to a request of the relay suite: the last message in upper case. */
export function upperCased({ request }: Taken, more: Partial<RunnerReply> = {}): RunnerReply {
  const { messages } = JSON.parse(request.body) as { messages: { content: string }[] };
  const content = messages.at(-1)!.content.toUpperCase();
  const usage = { prompt_tokens: 10, completion_tokens: 5 };
  const body = JSON.stringify({ choices: [{ message: { content } }], usage });
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body,
    headersMs: 30,
    marks: [[body.length, 40]],
    elapsedMs: 40,
    failure: null,
    ...more,
  };
}

/** A fake runner of an account, with its own key pair. */
export async function fakeRunner(
  platform: Platform,
  { as = "acme", name = "lab" }: { as?: keyof typeof accounts; name?: string } = {},
) {
  const pair = (await crypto.subtle.generateKey("Ed25519", true, ["sign"])) as CryptoKeyPair;
  const { x = "" } = (await crypto.subtle.exportKey("jwk", pair.publicKey)) as JsonWebKey;
  const { kid } = await publicKeyOf(x);
  const service = serve(platform, accounts);
  const authorization = `Bearer ${as}`;
  const path = `/v1/runners/${name}`;
  const signed = async (text: string): Promise<string> => {
    const bytes = await crypto.subtle.sign(
      "Ed25519",
      pair.privateKey,
      new TextEncoder().encode(text),
    );
    return base64url(new Uint8Array(bytes));
  };
  const poll = (body: object) => service.post(`${path}/requests`, body, { authorization });
  const register = () => service.put(path, { publicKey: x }, { authorization });
  const remove = async () => (await service.delete(path, { authorization })).status;
  /** Takes requests after a short wait for the lanes. */
  const take = async (count = 20, holding: Leased[] = []): Promise<RunnerWork> => {
    await platform.sleep(20);
    return (await poll({ take: count, holding, waitMs: 0 })).json();
  };
  /** `more`: headers that replace the correct ones. */
  const reply = async ({ id, lease }: Leased, body: object, more: Record<string, string> = {}) => {
    const signature = await signed(signedReplyText({ id, lease }, JSON.stringify(body)));
    const own = { "assay-lease": lease, "assay-key-id": kid, "assay-signature": signature };
    return service.post(`${path}/requests/${id}/reply`, body, { authorization, ...own, ...more });
  };
  let isAtWork = true;
  return {
    kid,
    poll,
    register,
    remove,
    take,
    reply,
    stop() {
      isAtWork = false;
    },
    /** Replies to all requests until it is stopped, and returns them. */
    async work(answer: (taken: Taken) => RunnerReply = upperCased): Promise<Taken[]> {
      const done: Taken[] = [];
      while (isAtWork) {
        const { requests } = await take();
        for (const taken of requests) await reply(taken, answer(taken));
        done.push(...requests);
      }
      return done;
    },
  };
}
