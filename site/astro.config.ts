import { defineConfig } from "astro/config";
import { keepBundle } from "./src/build/kept-bundle.ts";

export default defineConfig({
  output: "static",
  integrations: [keepBundle],
  // Lossless: the default drops the space between a line and a link at the start of the next.
  compressHTML: true,
  trailingSlash: "always",
  build: { format: "directory", inlineStylesheets: "never" },
  // The content security policy allows no inline style, which highlighting would need.
  markdown: { syntaxHighlight: false },
  // It allows no inline script either: every module is a file, however small.
  vite: {
    build: { assetsInlineLimit: 0 },
    environments: { prerender: { resolve: { noExternal: true, external: ["sharp"] } } },
  },
  devToolbar: { enabled: false },
});
