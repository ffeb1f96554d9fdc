import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { flawsOfOpenPage } from "../../browser/support/audit-page.ts";
import { everyReply, type NamedIds } from "../../support/every-route.ts";
import { standInProvider } from "../../support/stand-in-provider.ts";
import type { Checkout } from "../checkout.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { replyOf } from "../cloud/data-plane.ts";
import { allObjects, allRows, published } from "./everything.ts";
import { answered, HOST } from "./runs.ts";
import {
  bearer,
  deploy,
  equal,
  type Findings,
  NAME,
  on,
  page,
  type Scene,
  secrets,
} from "./scene.ts";
import { openStrangers, type Stranger } from "./stranger.ts";

/** Occurs in every private name and text, and nowhere else. */
const CANARY = "zeisig";
/** Login of the owner; occurs nowhere else. */
const OWNER = "quetzal";
const SAMPLES = 12;
const HOUR_MS = 3_600_000;
const HOURS = 24;
const DAY_MS = HOURS * HOUR_MS;

export const strangerScenes: readonly Scene[] = [
  {
    name: "two strangers sign up, and one keeps things private",
    isQuick: false,
    play: () => on({ outside: ["github.com"] }, twoStrangers),
  },
];

/** Endpoints answer after this resolves; until then, runs are active. */
const gate = Promise.withResolvers<void>();

async function twoStrangers(cloud: Cloud, fresh: Checkout, findings: Findings): Promise<void> {
  const provider = standInProvider("https://github.com", cloud.origin);
  cloud.workers.outside = async (request) => {
    const url = new URL(request.url);
    if (url.origin === new URL(HOST).origin) {
      await gate.promise;
      return answered(request);
    }
    if (url.host === "api.github.com") url.pathname = `/api/v3${url.pathname}`;
    const { method, headers } = request;
    const body = method === "GET" ? null : await request.arrayBuffer();
    return replyOf(await provider.answer(new Request(url, { method, headers, body })));
  };
  const app = { GITHUB_CLIENT_ID: "a client", GITHUB_CLIENT_SECRET: "a client's secret" };
  const { code, text } = await deploy(cloud, fresh, NAME, undefined, { ...secrets, ...app }).ended;
  findings.add("npm run deploy succeeds with an OAuth app", () =>
    code === 0 ? undefined : text.slice(-600),
  );
  if (code !== 0) return;
  const people = await openStrangers(cloud, provider);
  try {
    await play({ cloud, fresh, findings, ...people });
  } finally {
    await people.close();
  }
}

type Stage = Awaited<ReturnType<typeof openStrangers>> & {
  cloud: Cloud;
  fresh: Checkout;
  findings: Findings;
};

async function play(stage: Stage): Promise<void> {
  const { findings } = stage;
  const mona = await stage.signUp({ id: 1, login: OWNER, name: "Quetzal Mona" });
  const rolf = await stage.signUp({ id: 2, login: "rolf", name: "Rolf" });
  const signedIn = [mona, rolf].map(({ page }) => page.locator("[data-who]").textContent());
  const names = (await Promise.all(signedIn)).map(
    (text) => /Signed in as (\w+)/.exec(text ?? "")?.[1],
  );
  findings.add("two strangers sign up in two browsers", () => equal(names, [OWNER, "rolf"]));
  await flawless(findings, "the account page", mona.page);

  const runs = await submitted(mona);
  await operatorSees(stage, runs);
  gate.resolve();
  await Promise.all([runs.open, runs.secret].map((id) => mona.ended(id)));
  const made = { ...runs, ...(await shared(mona, runs.secret)) };
  await siteWith(stage, made.open);
  await unseen(stage, { mona, rolf }, made);
  await flawless(findings, "the private report", await mona.opened(`/run/?id=${made.secret}`));
  await deleted(stage, mona, made);
}

interface Submitted {
  open: string;
  secret: string;
  parity: string;
  /** Tokens of links to the run, its board and its parity: one that expires in a day, and a revoked one. */
  links: Record<"run" | "board" | "parity", { expiring: string; revoked: string }>;
}

const samplesWith = (word: string) =>
  Array.from({ length: SAMPLES }, (_, i) =>
    JSON.stringify({
      id: `s${i}`,
      text: `Invoice ${i}.${word}`,
      schema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      expected_output: { n: i },
    }),
  ).join("\n");

/** Submits a public and a private run, each on a dataset of the same visibility. */
async function submitted(mona: Stranger): Promise<Pick<Submitted, "open" | "secret">> {
  const runOf = async (visibility: string, word: string) => {
    const dataset = `${OWNER}/${word}invoices`;
    const query = new URLSearchParams({ suite: "extraction", name: dataset, visibility });
    await mona.post(`/v1/datasets?${query}`, samplesWith(word));
    const model = { name: `${word}reader`, slug: `${OWNER}/${word}reader` };
    const endpoint = { baseUrl: HOST, model: "m", apiKey: "any" };
    const made = await mona.post<{ runs: { id: string }[] }>("/v1/submissions", {
      suite: "extraction",
      dataset,
      visibility,
      models: [{ ...model, endpoint }],
    });
    return made.runs[0]!.id;
  };
  const open = await runOf("public", "");
  const secret = await runOf("private", `${CANARY}-`);
  return { open, secret };
}

/** Makes a parity with the private run, and links to the parity, the run and the account's board. */
async function shared(
  mona: Stranger,
  secret: string,
): Promise<Pick<Submitted, "parity" | "links">> {
  const parity = `${OWNER}/${CANARY}-hosts`;
  await mona.post("/v1/parities", { name: parity, reference: { run: secret }, margin: 0.1 });
  const board = { suite: "extraction", dataset: `${OWNER}/${CANARY}-invoices` };
  const linksTo = async (thing: object, path = "/v1/shares") => {
    const make = (note: string) =>
      mona.post<{ id: string; token: string }>(path, { expiresInDays: 1, note, ...thing });
    const [expiring, revoked] = [await make("expiring"), await make("revoked")];
    await mona.send("DELETE", `${path}/${revoked.id}`);
    return { expiring: expiring.token, revoked: revoked.token };
  };
  const links = {
    run: await linksTo({}, `/v1/runs/${secret}/shares`),
    board: await linksTo({ board }),
    parity: await linksTo({ parity }),
  };
  return { parity, links };
}

async function operatorSees(
  stage: Stage,
  { open, secret }: Pick<Submitted, "open" | "secret">,
): Promise<void> {
  const { page } = await stage.newcomer();
  await page.goto(`${stage.cloud.origin}/operate/`);
  await page.getByLabel("API key of Assay").fill(secrets.OPERATOR_SECRET);
  await page.getByRole("button", { name: "Show" }).click();
  await page.locator("[data-overview] table").first().waitFor();
  const shown = await page.locator("[data-overview]").innerHTML();
  stage.findings.add("the operator's page shows both runs while they are active", () =>
    equal(
      [open, secret].map((id) => shown.includes(id)),
      [true, true],
    ),
  );
  await flawless(stage.findings, "the operator's page", page);
}

/** Builds the site again after the run is on its board. */
async function siteWith({ cloud, fresh, findings }: Stage, run: string): Promise<void> {
  for (let look = 0; look < 120 && !(await published(cloud)).includes(run); look++)
    await setTimeout(1_000);
  const { code, text } = await deploy(cloud, fresh, NAME, ["--site-only", "--yes"]).ended;
  findings.add("the site is built with the public run", () =>
    code === 0 && siteOf(cloud).includes(run) ? undefined : text.slice(-600),
  );
}

/** Paths and contents of all files of the site, as one text. */
const siteOf = ({ account }: Cloud): string =>
  [...(account.scripts.get(`${NAME}-site`)?.assets ?? [])]
    .map(([path, { content }]) => `${path}\n${new TextDecoder().decode(content)}`)
    .join("\n");

/** Searches the private run as other people: in every route, every file of the site and the published data. */
async function unseen(
  { cloud, findings, newcomer }: Stage,
  { mona, rolf }: Record<"mona" | "rolf", Stranger>,
  { secret, parity, links }: Submitted,
): Promise<void> {
  const { stranger: nobody } = await newcomer();
  const dataset = encodeURIComponent(`${OWNER}/${CANARY}-invoices`);
  const paths = {
    run: `/v1/runs/${secret}/report`,
    board: `/v1/leaderboard?suite=extraction&dataset=${dataset}&mine=true`,
    parity: `/v1/parities/${parity}`,
  };
  const by = (token: string) => ({ "assay-share": token });
  for (const thing of ["run", "board", "parity"] as const) {
    const own = await mona.send("GET", paths[thing]);
    const read = by(links[thing].expiring);
    const byLink = await nobody.send("GET", paths[thing], undefined, read);
    findings.add(`its owner and who has the link read the private ${thing}`, () =>
      equal(
        [own, byLink].map(({ status, text }) => [status, text.includes(CANARY)]),
        [
          [200, true],
          [200, true],
        ],
      ),
    );
  }
  await ownPageShows(findings, await newcomer(), links.board.expiring, dataset);
  const ask = async (who: string, { send }: Stranger, headers: Record<string, string> = {}) => {
    const api = {
      send: async (method: string, path: string, body?: unknown, more: object = {}) => {
        const { status, text } = await send(method, path, body, { ...headers, ...more });
        return new Response(text, { status });
      },
    };
    const found = await everyReply(api, { ...idsOf(secret, CANARY), parity }, {});
    const none = { ...idsOf(neverRun(), "absent"), parity: `${OWNER}/absent-hosts` };
    const missing = await everyReply(api, none, {});
    const different = [...found].flatMap(([operation, reply]) =>
      timeless(reply) === timeless(missing.get(operation)) && !reply.includes(CANARY)
        ? []
        : [operation],
    );
    findings.add(
      `${who} gets from each of ${found.size} routes the same as for a run that never was`,
      () => equal(different, []),
    );
  };
  await ask("nobody", nobody);
  await ask("the other stranger", rolf);
  for (const [thing, { revoked }] of Object.entries(links)) {
    await ask(`who has a revoked link to the ${thing}`, nobody, by(revoked));
  }
  await cloud.workers.pass(DAY_MS + 60_000);
  for (const [thing, { expiring }] of Object.entries(links)) {
    await ask(`who has an expired link to the ${thing}`, nobody, by(expiring));
  }
  const places = { site: siteOf(cloud), published: await published(cloud) };
  for (const [place, text] of Object.entries(places)) {
    findings.add(`the private run is nowhere in what is on the ${place}`, () =>
      equal(
        [CANARY, secret].filter((one) => text.includes(one)),
        [],
      ),
    );
  }
}

/** Checks the page of a board that a link opens. */
async function ownPageShows(
  findings: Findings,
  { page, stranger }: Awaited<ReturnType<Stage["newcomer"]>>,
  token: string,
  dataset: string,
): Promise<void> {
  const address = `/leaderboards/own/?suite=extraction&dataset=${dataset}#share=${encodeURIComponent(token)}`;
  await stranger.opened(address);
  const text = (await page.locator("main").textContent()) ?? "";
  findings.add("a page shows the private board to who has the link", () =>
    equal([text.includes(`${CANARY}-reader`), new URL(page.url()).hash], [true, ""]),
  );
  await flawless(findings, "the private board", page);
}

const idsOf = (run: string, word: string): NamedIds => ({
  run,
  submission: run.replace("run_", "sub_"),
  dataset: `${OWNER}/${word}-invoices`,
  slug: `${OWNER}/${word}-reader`,
  board: run.replace("run_", "").slice(0, 16),
  suite: "extraction",
});

/** The first stranger deletes the account. Checks that nothing of it is left and that nobody can take its name. */
async function deleted(stage: Stage, mona: Stranger, { open, secret }: Submitted): Promise<void> {
  const { cloud, findings, fresh } = stage;
  const words = [OWNER, "Quetzal", CANARY, open, secret];
  const before = await places(cloud);
  findings.add("before, stores and site have the account", () =>
    equal(
      Object.values(before).map((text) => text.includes(OWNER)),
      [true, true, true, true],
    ),
  );
  const begun = await mona.send("DELETE", `/v1/account?confirm=${OWNER}`);
  findings.add("the first stranger deletes the account", () => equal(begun.status, 202));
  for (let hours = 0; hours < HOURS; hours++) {
    await cloud.workers.pass(HOUR_MS);
    await cloud.workers.cron(NAME, "* * * * *");
    await setTimeout(1_000);
  }
  const hasEnded = await isDeleted(cloud);
  findings.add("the deletion ends within a day", () => equal(hasEnded, true));
  const { code, text } = await deploy(cloud, fresh, NAME, ["--site-only", "--yes"]).ended;
  findings.add("the site is built again", () => (code === 0 ? undefined : text.slice(-600)));
  for (const [place, kept] of Object.entries(await places(cloud))) {
    findings.add(`nothing of the account is left in ${place}`, () =>
      equal(
        words.flatMap((word) => {
          const at = kept.indexOf(word);
          return at < 0 ? [] : [kept.slice(Math.max(0, at - 100), at + 40)];
        }),
        [],
      ),
    );
  }
  const other = await stage.signUp({ id: 3, login: OWNER });
  const { owner } = JSON.parse((await other.send("GET", "/v1/account")).text) as { owner: string };
  findings.add("somebody else who registers that login gets another name", () =>
    equal(owner, `${OWNER}-github`),
  );
}

const isDeleted = async (cloud: Cloud) => {
  const { text } = await page(cloud, "/v1/operator/deletions", { headers: bearer });
  const { deletions } = JSON.parse(text) as { deletions: { finishedAt: string | null }[] };
  return deletions.length > 0 && deletions.every(({ finishedAt }) => finishedAt !== null);
};

/** All stored and shown data of a deployment as text, by place. */
async function places(cloud: Cloud): Promise<Record<string, string>> {
  const shown = await Promise.all(
    ["/", "/v1/datasets", "/v1/snapshot", "/feed.xml", `/badge/${OWNER}/reader.svg`].map(
      async (path) => (await page(cloud, path)).text,
    ),
  );
  return {
    D1: await allRows(cloud),
    R2: await allObjects(cloud),
    site: siteOf(cloud),
    caches: shown.join("\n"),
  };
}

/** Removes times, since lists of a user's own items show when they were used. */
const timeless = (text = "") => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "");

const neverRun = () => `run_${crypto.randomUUID().replaceAll("-", "")}`;

async function flawless(findings: Findings, what: string, page: Page): Promise<void> {
  const flaws = await flawsOfOpenPage(page, 390, 1280);
  findings.add(`axe finds nothing on ${what}`, () => equal(flaws, []));
}
