import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createApp } from "../../../api/app.ts";
import { localAccount } from "../../../api/keys/account.ts";
import { signer } from "../../../api/security/signer.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { demoModels } from "../../demo-snapshot/demo-models.ts";
import { finishedRun } from "../../demo-snapshot/finished-run.ts";
import { openService } from "../../demo-snapshot/service.ts";
import { simulatedAnswers } from "../../demo-snapshot/simulated-answers.ts";
import { aBench } from "../../simulator/support/evaluate.ts";

const made = Date.UTC(2026, 9, 1);

/**
 * Serves the real API in this process with a finished run of a simulated model on a suite's stock
 * dataset. `key` is the signing key; "" leaves statements unsigned.
 */
export async function publishedRun(suiteId: string, key: string) {
  const service = await openService();
  const { platform } = service;
  platform.signer = signer(key, "");
  platform.settings = { ...platform.settings, codeRevision: "c0ffee" };
  const bench = aBench(suiteById(suiteId)!);
  const model = { ...demoModels(3)[1]!, lostRate: 0.05 };
  const runOf = (turn: number) => {
    const answers = simulatedAnswers(bench, bench.simulation(1), model, turn);
    return finishedRun(service, bench, { model, turn, createdAt: made }, answers);
  };
  const run = await runOf(0);
  const app = createApp({
    platform: () => platform,
    account: async () => localAccount,
    site: async () => new Response(null, { status: 404 }),
  });
  const server = createServer(async ({ url, headers }, response) => {
    const asked = new Headers(headers as Record<string, string>);
    const reply = await app.request(`http://localhost${url}`, { headers: asked });
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    response.end(Buffer.from(await reply.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    platform,
    run,
    /** Another run of the model, with errors on other samples in each turn. */
    runOf,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
