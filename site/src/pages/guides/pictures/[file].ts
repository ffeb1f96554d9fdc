import { readdirSync, readFileSync } from "node:fs";
import type { APIRoute, GetStaticPaths } from "astro";

// Builds run in the project's folder.
const folder = "docs";

export const getStaticPaths = (() =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".webp"))
    .map((file) => ({ params: { file } }))) satisfies GetStaticPaths;

export const GET: APIRoute = ({ params: { file } }) =>
  new Response(new Uint8Array(readFileSync(`${folder}/${file}`)), {
    headers: { "content-type": "image/webp" },
  });
