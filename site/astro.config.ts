import { readFile, writeFile } from "node:fs/promises";
import type { AstroIntegration } from "astro";
import { defineConfig } from "astro/config";
import { UNKNOWN_ORIGIN } from "#shared/contracts/boards/public-origin.ts";
import { leaveOutLarge } from "./src/data/leave-out-large.ts";
import { keepPages } from "./src/data/render-cache.ts";
import { settings } from "./src/data/settings.ts";

/** Placeholder in public/_headers for the API's origin, which only a build knows. */
const placeholder = " {api}";

/** Allows scripts and images of pages to request the API's origin, and no origin other than that and their own. */
const allowApi: AstroIntegration = {
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

export default defineConfig({
  output: "static",
  integrations: [allowApi, keepPages, leaveOutLarge],
  // Lossless: the default drops the space between a line and the link on the next.
  compressHTML: true,
  trailingSlash: "always",
  build: { format: "directory", inlineStylesheets: "never" },
  // The content security policy allows no inline style, which highlighting would need.
  markdown: { syntaxHighlight: false },
  // Nor an inline script: every module is a file, however small.
  vite: { build: { assetsInlineLimit: 0 } },
  devToolbar: { enabled: false },
});
