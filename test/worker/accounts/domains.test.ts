import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { checkDomain, checkDueDomains, domainView } from "../../../api/accounts/domains.ts";
import { domainProver } from "../../../api/providers/prove-domain.ts";
import type { Domain } from "../../../shared/contracts/keys/organisation.ts";
import { signInService } from "../support/sign-in-service.ts";

const DAY = 86_400_000;
const RESOLVER = "https://resolver.example/dns-query";
let last = 700_000;

/** A service with organisations, and the published proofs: texts by domain. */
async function world() {
  const rig = signInService();
  const proofs = new Map<string, string[]>();
  rig.platform.proveDomain = async (domain, token) =>
    proofs.get(domain)?.includes(`assay-verification=${token}`) ? null : "no proof";
  const organisation = async () => {
    const owner = `org-${++last}`;
    rig.provider.state.person = { id: last, login: `person-${last}` };
    const admin = rig.browser();
    await admin.signIn();
    const created = await admin.write("POST", "/v1/organisations", { owner, name: `Org ${last}` });
    expect(created.status).toBe(201);
    const path = `/v1/organisations/${owner}/domains`;
    const claim = async (domain: string) =>
      (await (await admin.write("POST", path, { domain })).json()) as Domain;
    const check = async (domain: string) =>
      (await (await admin.write("POST", `${path}/${domain}/check`)).json()) as Domain;
    const shown = async () =>
      (await rig.platform.domains.publicOwner(owner, rig.platform.now()))?.domains;
    return { owner, admin, path, claim, check, shown };
  };
  return { ...rig, proofs, organisation };
}

describe("an organisation's domain", () => {
  it("is shown once it is verified by the organisation's own token", async () => {
    const { organisation, proofs } = await world();
    const [acme, other] = [await organisation(), await organisation()];
    const { proof, isVerified } = await acme.claim("acme.com");
    expect([isVerified, proof.recordName, proof.fileUrl]).toEqual([
      false,
      "_assay.acme.com",
      "https://acme.com/.well-known/assay-verification.txt",
    ]);
    await other.claim("acme.com");
    expect(await acme.check("acme.com")).toMatchObject({ isVerified: false, problem: "no proof" });
    proofs.set("acme.com", [proof.text]);
    expect(await other.check("acme.com")).toMatchObject({ isVerified: false });
    expect(await acme.check("acme.com")).toMatchObject({ isVerified: true, problem: null });
    expect([await acme.shown(), await other.shown()]).toEqual([["acme.com"], []]);
    // A second claim changes nothing.
    expect(await acme.claim("acme.com")).toMatchObject({ isVerified: true, proof });
    expect((await acme.admin.write("DELETE", `${acme.path}/acme.com`)).status).toBe(200);
    expect(await acme.shown()).toEqual([]);
  });

  it("is one of ten at most, also with concurrent claims, and has one proof", async () => {
    const { organisation } = await world();
    const { admin, path, claim } = await organisation();
    const twice = await Promise.all([claim("twice.com"), claim("twice.com")]);
    expect(twice[0].proof).toEqual(twice[1].proof);
    const all = Array.from({ length: 11 }, (_, i) =>
      admin.write("POST", path, { domain: `acme${i}.com` }),
    );
    const statuses = (await Promise.all(all)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(9).fill(201), 409, 409]);
    expect(await claim("twice.com")).toEqual(twice[0]);
  });

  it("belongs to one organisation, and to another once the first can't prove it any more", async () => {
    const { organisation, proofs } = await world();
    const [acme, buyer] = [await organisation(), await organisation()];
    const [first, second] = [await acme.claim("sold.com"), await buyer.claim("sold.com")];
    proofs.set("sold.com", [first.proof.text]);
    await acme.check("sold.com");
    proofs.set("sold.com", [first.proof.text, second.proof.text]);
    expect(await buyer.check("sold.com")).toMatchObject({
      isVerified: false,
      problem: expect.stringContaining("another organisation"),
    });
    expect(await acme.shown()).toEqual(["sold.com"]);
    proofs.set("sold.com", [second.proof.text]);
    expect(await buyer.check("sold.com")).toMatchObject({ isVerified: true });
    expect([await acme.shown(), await buyer.shown()]).toEqual([[], ["sold.com"]]);
  });

  it("is checked daily and is lost after a week without proof", async () => {
    const { organisation, proofs, platform, state } = await world();
    await env.DB.exec("DELETE FROM domains");
    const acme = await organisation();
    const { proof } = await acme.claim("daily.com");
    proofs.set("daily.com", [proof.text]);
    await acme.check("daily.com");
    const day = async (found: boolean) => {
      state.clock += DAY + 1;
      proofs.set("daily.com", found ? [proof.text] : []);
      await checkDueDomains(platform);
      return (await acme.shown())?.length;
    };
    const changes = async () => (await platform.publications.state()).changes;
    const before = await changes();
    for (const found of [false, false, false, true, false, false, false, false, false, false])
      expect(await day(found)).toBe(1);
    // Nothing was published meanwhile.
    expect(await changes()).toBe(before);
    expect(await day(false)).toBe(1);
    expect(await day(false)).toBe(0);
    expect(await changes()).toBe(before + 1);
    expect(await day(true)).toBe(0);
    const [claimed] = await platform.domains.of(acme.owner);
    const again = claimed && (await checkDomain(platform, claimed));
    expect(again && domainView(again)).toMatchObject({ isVerified: true, endsAt: null });
  });

  it.each([
    ["p\u0430ypal.com", 'as "xn--pypal-4ve.com"'],
    ["ACME.com", "lower-case"],
    ["acme", "lower-case"],
    ["acme.com.", "lower-case"],
    ["127.0.0.1", "lower-case"],
    ["acme.com/path", "lower-case"],
    ["user@acme.com", "lower-case"],
    ["printer.local", "name of a local"],
    ["169-254-169-254.nip.io", "encodes 169.254.169.254"],
    ["metadata.google.internal", "instance metadata"],
  ])("is not %s", async (domain, why) => {
    const { organisation, platform } = await world();
    Object.assign(platform.settings, { allowPrivateEndpoints: false });
    const { admin, path } = await organisation();
    const refused = await admin.write("POST", path, { domain });
    expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
      422,
      expect.stringContaining(why),
    ]);
  });

  it("is claimed, shown and checked only for admins", async () => {
    const { organisation } = await world();
    const [acme, eve] = [await organisation(), await organisation()];
    await acme.claim("acme.com");
    const all = [
      eve.admin.send(acme.path),
      eve.admin.write("POST", acme.path, { domain: "evil.com" }),
      eve.admin.write("POST", `${acme.path}/acme.com/check`),
      eve.admin.write("DELETE", `${acme.path}/acme.com`),
    ];
    for (const reply of await Promise.all(all)) expect(reply.status).toBe(404);
  });
});

describe("domainProver()", () => {
  const proof = "assay-verification=token";
  const rules = { allowPrivateEndpoints: false, ownHosts: ["assay.example.com"] };
  type Reply = () => Response | Promise<Response>;
  const nothing: Reply = () => new Response("", { status: 404 });
  const record = (data: string, type = 16) =>
    Response.json({ Status: 0, Answer: [{ name: "_assay.acme.com", type, data }] });

  async function proven(dns: Reply, file: Reply, domain = "acme.com") {
    const asked: string[] = [];
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      asked.push(url);
      expect(init.redirect).toBe("manual");
      const reply = url.startsWith(RESOLVER) ? dns() : file();
      return Promise.race([
        reply,
        new Promise<never>((_, reject) =>
          init.signal?.addEventListener("abort", () => reject(init.signal?.reason)),
        ),
      ]);
    });
    const problem = await domainProver(rules, RESOLVER, 200)(domain, "token");
    return { isProven: problem === null, problem, asked };
  }
  const endless: Reply = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new TextEncoder().encode(`${proof}x`)),
      }),
    );
  const hanging: Reply = () => new Promise(() => {});

  it.each<[string, Reply, Reply]>([
    ["a TXT record", () => record(`"${proof}"`), nothing],
    ["a TXT record in parts", () => record(`"assay-verifi" "cation=token"`), nothing],
    ["a file", nothing, () => new Response(`# ours\r\n${proof}\r\n`)],
    ["a file while the resolver hangs", hanging, () => new Response(proof)],
  ])("finds the proof in %s", async (_, dns, file) => {
    const { isProven, asked } = await proven(dns, file);
    expect(isProven).toBe(true);
    expect(asked[0]).toBe(`${RESOLVER}?name=_assay.acme.com&type=TXT`);
  });

  it.each<[string, Reply, Reply]>([
    ["another token", () => record(`"${proof}2"`), () => new Response(`${proof}2`)],
    ["a record of another type", () => record(`"${proof}"`, 5), nothing],
    ["an invalid reply", () => Response.json([null, proof]), nothing],
    ["an answer without records", () => Response.json({ Answer: [null, { type: 16 }] }), nothing],
    ["a reply that is not JSON", () => new Response(proof), nothing],
    ["a redirect", nothing, () => Response.redirect("https://elsewhere.example/", 302)],
    ["an error page that contains the proof", nothing, () => new Response(proof, { status: 404 })],
    ["a text within a line", nothing, () => new Response(`<p>${proof}</p>`)],
    ["a huge file", nothing, endless],
    ["a huge answer", endless, nothing],
    ["servers that hang", hanging, hanging],
  ])("finds no proof in %s", async (_, dns, file) => {
    const { isProven, problem } = await proven(dns, file);
    expect(isProven).toBe(false);
    expect(problem).toContain(`has "${proof}"`);
  });

  it.each(["10.0.0.1", "assay.example.com", "app.localtest.me"])(
    "sends no request to %s",
    async (domain) => {
      const { isProven, asked } = await proven(nothing, () => new Response(proof), domain);
      expect([isProven, asked.length]).toEqual([false, 1]);
    },
  );
});
