import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Assay</title>
<p>The site is being set up; the API at <a href="/v1/openapi.json">/v1/openapi.json</a> is available.</p></html>
`;

/** Placeholder until the site is built from the service, which must exist first. */
export function writePlaceholderPages(folder: string): void {
  const [index, missing] = [join(folder, "index.html"), join(folder, "404.html")];
  if (!existsSync(index)) writeFileSync(index, page);
  if (!existsSync(missing)) writeFileSync(missing, page);
}
