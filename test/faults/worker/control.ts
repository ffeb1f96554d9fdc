import { platformOf } from "../../../api/index.ts";
import type { Part } from "../../support/worker/intercepted-bindings.ts";
import type { Hazard } from "./hazard.ts";

/** Messages that no consumer can process. */
const poison: readonly unknown[] = [
  null,
  "not a message",
  { v: 99, kind: "lane", run: "run_of_the_future", lane: 0 },
  { v: 1, kind: "lane", run: "run_unknown", lane: 0 },
  { v: 1, kind: "lane", run: "run_unknown", lane: -1 },
  { v: 1, kind: "finalize", run: "run_unknown" },
  { v: 1, kind: "nonsense" },
];

/** Answers the routes under /__faults, with which tests control the faulty Worker; null for all other requests. */
export async function control(
  request: Request,
  env: Env,
  hazard: Hazard,
): Promise<Response | null> {
  const url = new URL(request.url);
  const [, root, action = ""] = url.pathname.split("/");
  if (root !== "__faults") return null;
  const query = url.searchParams;
  const actions: Record<string, () => unknown> = {
    settings: async () => hazard.change(await request.json(), Date.now()),
    away: () => hazard.takeAway(query.get("part") as Part, Number(query.get("ms"))),
    poison: () => sendPoison(env, hazard),
    remove: () => env.RESULTS.delete(query.get("key") ?? ""),
  };
  if (action === "published") return Response.json({ published: await isPublished(env) });
  if (action === "objects") return objectsUnder(env.RESULTS, query.get("prefix") ?? "");
  await actions[action]?.();
  return Response.json({ done: action in actions });
}

/** Whether all boards and the snapshot are up to date. */
async function isPublished(env: Env): Promise<boolean> {
  const { boards, publications } = platformOf(env);
  const [outdated, state] = await Promise.all([boards.outdated(), publications.state()]);
  return outdated.length === 0 && state.changes === state.published;
}

async function sendPoison({ EVALUATE, FINISH }: Env, hazard: Hazard): Promise<void> {
  const messages = poison.map((body) => ({ body }));
  await EVALUATE.sendBatch(messages);
  await FINISH.sendBatch(messages);
  hazard.note("poison message", 2 * poison.length);
}

/** One line per object: key, tab, content. */
async function objectsUnder(bucket: R2Bucket, prefix: string): Promise<Response> {
  const keys: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: R2Objects = await bucket.list({ prefix, ...(cursor && { cursor }) });
    keys.push(...page.objects.map(({ key }) => key));
    if (!page.truncated) break;
    cursor = page.cursor;
  }
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    async pull(controller) {
      const key = keys.shift();
      if (key === undefined) return controller.close();
      const content = await (await bucket.get(key))?.text();
      controller.enqueue(encoder.encode(`${key}\t${content}\n`));
    },
  });
  return new Response(body);
}
