import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { checkDataset } from "../../api/datasets/register-dataset.ts";
import { root } from "../../cli/local/root.ts";
import { suiteById } from "../../shared/suites/registry.ts";
import { folderWith } from "../cli/support/folder-with.ts";
import { apiPages } from "./support/api-page.ts";
import { flawsOfOpenPage } from "./support/audit-page.ts";
import { openSite } from "./support/open-site.ts";
import { problem, type StubRoutes } from "./support/stub-api.ts";

const site = openSite();
const open = apiPages(site);

const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };

/** A stand-in service with the real checks; it keeps the stored datasets. */
function service() {
  const stored: { query: Record<string, string>; lines: string[] }[] = [];
  const routes: StubRoutes = {
    "POST /v1/datasets": ({ query, body }) => {
      const suite = suiteById(query.get("suite") ?? "");
      if (suite === null || suite === undefined) return problem(400, "there is no such suite");
      const check = checkDataset({ suite, file: new TextEncoder().encode(`${body}`) });
      if (query.get("dryRun") === "true") return { body: check };
      if (query.get("name") === "acme/taken") return problem(409, "the name is taken");
      stored.push({ query: Object.fromEntries(query), lines: `${body}`.trimEnd().split("\n") });
      return { status: 201, body: { ...check, name: query.get("name") } };
    },
  };
  return { stored, routes };
}

const csv =
  'key;body;label;kind\nk1;Total: 4;"{""total"": 4}";fee\nk2;Total: five;"{""total"": ""five""}";fee\n';
const choose = (page: Page, name: string, text: string) =>
  page
    .getByLabel("File (optional)", { exact: true })
    .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const press = (page: Page, name: string) => page.getByRole("button", { name }).click();

describe("/datasets/add/", () => {
  it("maps rows of a table, shows invalid rows, and uploads the valid rows with the mapping", async () => {
    const { stored, routes } = service();
    const { page, complaints } = await open("/datasets/add/", routes);
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);
    await page.getByLabel("Suite").selectOption("extraction");
    await choose(page, "tickets.csv", csv);
    await page.getByText("Rows of another shape").click();
    await page.getByLabel("Fields").fill("text=body,id=key\nexpected_output=label");
    await page.getByLabel("Tags").fill("domain=$uppercase(kind)");
    await page.getByLabel("JSON Schema of all rows").fill(JSON.stringify(schema));
    await press(page, "Check");
    await page.getByText("1 of 2 rows are valid.").waitFor();
    await page.getByText("Checked. Nothing was stored.").waitFor();
    await page.getByText("expected_output is not valid against the schema").waitFor();
    await page.getByText('"domain": "FEE"').first().waitFor();
    expect(stored).toEqual([]);
    expect(await flawsOfOpenPage(page, 1280, 768, 390)).toEqual([]);

    await press(page, "Upload");
    await page.getByText("give a name, and choose who can see it").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("acme/tickets");
    await page.getByRole("radio", { name: /^Unlisted/ }).check();
    await page.getByLabel("Leave invalid rows out").check();
    await press(page, "Upload");
    await page.getByText("Stored: acme/tickets, version").waitFor();
    const [upload] = stored;
    expect(upload?.query).toMatchObject({ name: "acme/tickets", visibility: "unlisted" });
    expect(JSON.parse(upload?.query["mapping"] ?? "")).toEqual({
      suite: "extraction",
      map: { text: "body", id: "key", expected_output: "label" },
      tags: { domain: "$uppercase(kind)" },
      files: {},
    });
    expect(JSON.parse(upload?.lines[0] ?? "")).toEqual({
      id: "k1",
      text: "Total: 4",
      schema,
      expected_output: { total: 4 },
      tags: { domain: "FEE" },
    });
    const link = page.getByRole("link", { name: "Evaluate a model on it" });
    expect(await link.getAttribute("href")).toContain("/submit/?suite=extraction&dataset=acme");
    expect(complaints).toEqual([]);
  });

  it("sends rows in the suite's format unchanged", async () => {
    const { stored, routes } = service();
    const { page } = await open("/datasets/add/", routes);
    const row = { id: "a", text: "Total: 4", schema, expected_output: { total: 4 }, more: null };
    await page.getByLabel("Suite").selectOption("extraction");
    await choose(page, "samples.jsonl", `\uFEFF${JSON.stringify(row)}\n\n`);
    await page.getByLabel("Name", { exact: true }).fill("acme/rows");
    await page.getByRole("radio", { name: /^Public/ }).check();
    await press(page, "Upload");
    await page.getByText("Stored: acme/rows").waitFor();
    expect(stored[0]?.query["mapping"]).toBeUndefined();
    expect(JSON.parse(stored[0]?.lines[0] ?? "")).toEqual(row);
  });

  it("reads a folder of documents with a mapping file, and a folder of samples with folder names as ids", async () => {
    const { stored, routes } = service();
    const { page } = await open("/datasets/add/", routes);
    const query = { query: "Which tea?", memory: {}, required_keys: [], forbidden_keys: [] };
    const folder = folderWith({
      "receipts/box/X1.txt": "1,2,3,2,3,4,1,4,HILL SHOP\r\n1,5,3,5,3,8,1,8,TOTAL 4.00",
      "receipts/entities/X1.txt": '{"company": "HILL SHOP", "total": "4.00"}',
      "profiles/samples/ada/sample.json": JSON.stringify(query),
      "profiles/samples/ada/notes.txt": "none",
    });
    const mapping = readFileSync(join(root, "examples/datasets/sroie.yaml"));
    await page.getByLabel("Folder (optional)").setInputFiles(join(folder.path, "receipts"));
    await page.getByText("Rows of another shape").click();
    const file = { name: "sroie.yaml", mimeType: "text/yaml", buffer: mapping };
    await page.getByLabel("Mapping file (optional)").setInputFiles(file);
    await page.getByLabel("Name", { exact: true }).fill("acme/folders");
    await page.getByRole("radio", { name: /^Public/ }).check();
    await press(page, "Upload");
    await page.getByText("Stored: acme/folders").waitFor();
    expect(stored[0]?.query["suite"]).toBe("extraction");
    expect(JSON.parse(stored[0]?.query["mapping"] ?? "")).toMatchObject({
      folder: { box: "box/{key}.txt" },
    });
    expect(JSON.parse(stored[0]?.lines[0] ?? "")).toMatchObject({
      id: "X1",
      text: "HILL SHOP\nTOTAL 4.00",
      expected_output: { company: "HILL SHOP", total: "4.00" },
    });

    await page.getByLabel("Suite").selectOption("memory");
    await page.getByLabel("Mapping file (optional)").setInputFiles([]);
    await page.getByLabel("Folder (optional)").setInputFiles(join(folder.path, "profiles"));
    await press(page, "Upload");
    await expect.poll(() => stored.length).toBe(2);
    expect(JSON.parse(stored[1]?.lines[0] ?? "")).toMatchObject({ id: "ada", ...query });
    folder.dispose();
  });

  it.each<[name: string, text: string, fields: string, message: string]>([
    ["rows.jsonl", '{"id": 1}\n[2]\n', "", "line 2 is not a JSON object"],
    ["rows.csv", 'a,b\n"1,2\n', "", "it is not CSV"],
    ["empty.jsonl", "\n", "", "there are no rows"],
    ["rows.jsonl", '{"id": 1}\n', "text", '"text" must be like text=body'],
    ["rows.jsonl", '{"id": 1}\n', "text=$sum(", "text: $sum("],
    ["rows.jsonl", '{"id": "a"}\n', "text=$number(id)", "row 1: text: $number(id)"],
    [
      "rows.jsonl",
      `{"id": "${"a".repeat(60)}!"}\n`,
      "text=$contains(id, /(a+)+$/)",
      "/(a+)+$/ takes too many steps",
    ],
    ["rows.parquet", "PAR1", "", "it can't be read as Parquet here"],
  ])("reports the error in %s %j %j", async (name, text, fields, message) => {
    const { page } = await open("/datasets/add/", service().routes);
    await choose(page, name, text);
    await page.getByText("Rows of another shape").click();
    await page.getByLabel("Fields").fill(fields);
    await press(page, "Check");
    await page.getByText(message).waitFor();
  });

  it("shows the service's error", async () => {
    const { page } = await open("/datasets/add/", service().routes);
    await choose(page, "rows.jsonl", '{"id": "a"}\n');
    await page.getByLabel("Name", { exact: true }).fill("acme/taken");
    await page.getByLabel("Private").check();
    await press(page, "Upload");
    await page.getByText("Not stored: the name is taken.").waitFor();
  });
});
