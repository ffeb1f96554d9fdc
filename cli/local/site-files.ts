import { readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webp": "image/webp",
  ".xml": "application/xml",
};

/** A request to the site. */
export interface SiteRequest {
  /** Path with leading slash, percent-encoded as in the URL. */
  path: string;
  search: string;
  ifNoneMatch: string | null;
}

/** The site's answer. */
export interface SiteReply {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer> | null;
}

/** Opens a built site. */
export async function openSite(
  folder: string,
): Promise<(asked: SiteRequest) => Promise<SiteReply>> {
  const rules = headerRules(await readFile(join(folder, "_headers"), "utf8"));
  return (asked) => answer(folder, rules, asked);
}

/** A rule of a `_headers` file: its paths and headers. */
interface HeaderRule {
  paths: RegExp;
  /** By name in lower case; null removes the header of an earlier rule. */
  headers: Record<string, string | null>;
}

/** The rules of a `_headers` file, parsed like Workers static assets. */
const headerRules = (file: string): HeaderRule[] =>
  file
    .split(/\n(?=\S)/)
    .filter((block) => block.startsWith("/"))
    .map((block) => {
      const [path = "", ...lines] = block.split("\n");
      const pattern = path
        .trim()
        .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
        .replaceAll("*", ".*");
      const headers = lines.filter((line) => line.startsWith("  ")).map(headerOf);
      return { paths: new RegExp(`^${pattern}$`), headers: Object.fromEntries(headers) };
    });

function headerOf(line: string): [name: string, value: string | null] {
  const removed = /^\s*! (.*)$/.exec(line)?.[1];
  if (removed !== undefined) return [removed.trim().toLowerCase(), null];
  const colon = line.indexOf(":");
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

/**
 * Answers like Cloudflare's static assets with `not_found_handling = "404-page"`: index.html of a folder at the
 * path with a trailing slash, 404.html for missing files, headers from `_headers`.
 */
async function answer(
  folder: string,
  rules: readonly HeaderRule[],
  { path, search, ifNoneMatch }: SiteRequest,
): Promise<SiteReply> {
  const name = fileName(path);
  const to = name === null ? null : await redirectOf(folder, path, name);
  if (to !== null) return { status: 307, headers: { location: `${to}${search}` }, body: null };
  const found = name === null ? null : await fileAt(join(folder, name));
  const file = found ?? (await fileAt(join(folder, "404.html")));
  const set = rules.filter(({ paths }) => paths.test(path)).map(({ headers }) => headers);
  const ruled = Object.entries<string | null>(Object.assign({}, ...set));
  const headers = {
    "content-type": types[extname(file?.path ?? "")] ?? "application/octet-stream",
    "cache-control": "public, max-age=0, must-revalidate",
    ...(found && { etag: found.etag }),
    ...Object.fromEntries(
      ruled.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
  };
  if (found && ifNoneMatch?.includes(found.etag)) return { status: 304, headers, body: null };
  const body = file === null ? null : await readFile(file.path);
  return { status: found === null ? 404 : 200, headers, body };
}

/** The file for a path; null if the path must not be served. */
function fileName(path: string): string | null {
  let name: string;
  try {
    name = decodeURIComponent(path);
  } catch {
    return null;
  }
  const parts = name.split("/");
  // Rules and redirects are not pages.
  if (parts.includes("..") || /[\0\\]|\/\//.test(name)) return null;
  if (/^\/_(headers|redirects)$/.test(name)) return null;
  return name.endsWith("/") ? `${name}index.html` : name;
}

/** The canonical path of a folder's page; null if the path is canonical. */
async function redirectOf(folder: string, path: string, name: string): Promise<string | null> {
  const isThere = (await fileAt(join(folder, name))) !== null;
  if (path.endsWith("/index.html")) return isThere ? path.slice(0, -"index.html".length) : null;
  if (isThere || path.endsWith("/")) return null;
  return (await fileAt(join(folder, name, "index.html"))) !== null ? `${path}/` : null;
}

async function fileAt(path: string): Promise<{ path: string; etag: string } | null> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return null;
  return { path, etag: `"${found.mtimeMs.toString(36)}-${found.size.toString(36)}"` };
}
