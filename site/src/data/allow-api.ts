import { readFile, writeFile } from "node:fs/promises";
import type { AstroIntegration } from "astro";
import { UNKNOWN_ORIGIN } from "#shared/contracts/public-origin.ts";
import { settings } from "./settings.ts";

/** What stands in public/_headers for the API's origin, which only a build knows. */
const placeholder = " {api}";

/** Lets the pages' scripts and images ask the API where it is elsewhere, and no other origin but their own. */
export const allowApi: AstroIntegration = {
  name: "allow-api",
  hooks: {
    "astro:build:done": async ({ dir }) => {
      const file = new URL("_headers", dir);
      const headers = await readFile(file, "utf8");
      const api =
        settings.apiOrigin === UNKNOWN_ORIGIN ? "" : ` ${new URL(settings.apiOrigin).origin}`;
      await writeFile(file, headers.replaceAll(placeholder, api));
    },
  },
};
