import { JSDOM } from "jsdom";
import { expect, it } from "vitest";
import { badgesOf } from "./badges.ts";

const model = { slug: "acme/m", simulated: false };
const origins = { apiOrigin: "https://api.example", siteOrigin: "https://site.example" };
const extraction = { id: "extraction", label: "Structured extraction" };
const tools = { id: "tools", label: "Function calling" };

it.each([[[]], [[extraction]]])(
  "badgesOf() of the suites %j has only the badge of the newest result",
  (suites) => {
    const badges = badgesOf(model, suites, origins);
    expect(badges.map(({ suite, path }) => ({ suite, path }))).toEqual([
      { suite: null, path: "/badge/acme/m.svg" },
    ]);
  },
);

it("badgesOf() has one badge for each of several suites", () => {
  const [, , last] = badgesOf(model, [extraction, tools], origins);
  expect(last).toMatchObject({
    suite: "Function calling",
    path: "/badge/acme/m.svg?suite=tools",
    markdown:
      "[![Assay score of acme/m: Function calling](https://api.example/badge/acme/m.svg?suite=tools)](https://site.example/models/acme/m/)",
  });
});

it("badgesOf() has HTML with the image inside a link", () => {
  const [, badge] = badgesOf(model, [extraction, tools], origins);
  const { document } = new JSDOM(badge?.html).window;
  const image = document.querySelector("body > a > img");
  expect(document.querySelector("a")?.href).toBe("https://site.example/models/acme/m/");
  expect(image?.getAttribute("src")).toBe("https://api.example/badge/acme/m.svg?suite=extraction");
  expect(image?.getAttribute("alt")).toBe("Assay score of acme/m: Structured extraction");
});

it("badgesOf() marks a simulated model in the alternative text", () => {
  const [badge] = badgesOf({ slug: "acme/sim", simulated: true }, [], origins);
  expect(badge?.alt).toBe("Assay score of the simulated model acme/sim");
  expect(badge?.markdown).toContain("[![Assay score of the simulated model acme/sim]");
  expect(badge?.html).toContain('alt="Assay score of the simulated model acme/sim"');
});
