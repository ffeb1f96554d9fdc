import { defineConfig } from "astro/config";

export default defineConfig({
  output: "static",
  // Lossless: the default drops the space between a line and the link on the next.
  compressHTML: true,
  trailingSlash: "always",
  build: { format: "directory", inlineStylesheets: "never" },
  // The content security policy allows no inline style, which highlighting would need.
  markdown: { syntaxHighlight: false },
  devToolbar: { enabled: false },
});
