import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { openBrowser } from "./support/browser.ts";
import { buildFolder, buildSite } from "./support/build-site.ts";
import { serveDist } from "./support/serve-dist.ts";

const variables = ["NAME", "ADDRESS", "MAIL", "JURISDICTION"].map((end) => `ASSAY_OPERATOR_${end}`);

let open: Awaited<ReturnType<typeof serveDist>> & {
  browser: Awaited<ReturnType<typeof openBrowser>>;
};
let dist = "";

beforeAll(async () => {
  dist = await buildFolder();
  for (const name of variables) vi.stubEnv(name, `<b>${name}`);
  await buildSite(dist);
  open = { ...(await serveDist(dist)), browser: await openBrowser() };
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await open.browser.close();
  open.server.close();
  await rm(dist, { recursive: true });
});

it.each(["terms", "privacy"])(
  "/%s/ names the operator, and is linked and accessible",
  async (name) => {
    const page = await open.browser.newPage();
    await page.goto(`${open.origin}/`);
    await page.getByRole("contentinfo").getByRole("link", { name, exact: false }).click();
    const text = (await page.locator("main").textContent()) ?? "";
    for (const variable of variables) expect(text).toContain(`<b>${variable}`);
    expect(await flawsOfOpenPage(page, 390, 1280)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await flawsOfOpenPage(page, 390)).toEqual([]);
    await page.close();
  },
);

it("/account/ links to both pages before sign-in", async () => {
  const page = await open.browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${open.origin}/account/`);
  const main = page.locator("main");
  for (const path of ["/terms/", "/privacy/"]) {
    expect(await main.locator(`a[href="${path}"]`).count()).toBe(1);
  }
  await page.close();
});
