import { UNKNOWN_ORIGIN } from "#shared/contracts/boards/public-origin.ts";
import { hasUserInfo } from "#shared/contracts/text/web-address.ts";

/** Where results come from and which addresses readers are shown, all from the environment. */
export type Settings = ReturnType<typeof readSettings>;

export function readSettings(env: Record<string, string | undefined>) {
  const addressOf = (name: string): string => {
    const address = env[name] ?? "";
    // Addresses are written into pages.
    if (hasUserInfo(address)) throw new Error(`${name} takes no user name or password`);
    return trimSlash(address);
  };
  const origin = addressOf("ASSAY_ORIGIN") || null;
  const apiOrigin = addressOf("ASSAY_PUBLIC_ORIGIN") || UNKNOWN_ORIGIN;
  return {
    /** API to load the snapshot from. */
    origin,
    /** Folder with snapshot.json and runs/{id}.json, in place of an API. */
    snapshotDir: env.ASSAY_SNAPSHOT_DIR || null,
    /** API address in examples and links; unless one is given, what is filled in when pages are served. */
    apiOrigin,
    /** Address of this site, for badges that link to it. */
    siteOrigin: addressOf("ASSAY_SITE_ORIGIN") || apiOrigin,
    cacheDir: env.ASSAY_CACHE_DIR || ".cache/site-runs",
    /** Files that the site may have: those of an asset Worker on the Free plan, unless told. */
    files: filesOf(env.ASSAY_SITE_FILES),
    /** Names of the datasets whose boards are on the home page, by suite. */
    firstDatasets: readPairs(env.ASSAY_FIRST_DATASETS ?? ""),
  };
}

/** Source: developers.cloudflare.com, Workers limits, static assets (2026-11): 20,000 on the Free plan, 100,000 on Paid. */
const USUAL_FILES = 20_000;
/** For pages that are there whatever the results, styles and scripts: three times what they are. */
export const FEWEST_FILES = 500;

function filesOf(text = ""): number {
  const files = Number(text || USUAL_FILES);
  if (Number.isInteger(files) && files >= FEWEST_FILES) return files;
  throw new Error(
    `ASSAY_SITE_FILES takes a whole number of ${FEWEST_FILES} or more, not "${text}"`,
  );
}

/** Of `extraction=paraloq,tools=bfcl`. */
function readPairs(text: string): Map<string, string> {
  const parts = text.split(",").map((part) => part.trim());
  return new Map(
    parts.flatMap((part) => {
      const [suite = "", name = ""] = part.split("=");
      return suite && name ? [[suite, name]] : [];
    }),
  );
}

/** Where a service is unless somebody says otherwise, in texts that are read outside the site, too. */
const usualService = "http://localhost:8787";

/** A text's commands, for the service whose site this is. */
export const forThisService = (commands: string): string =>
  commands.replaceAll(usualService, settings.apiOrigin);

const trimSlash = (url: string): string => url.replace(/\/+$/, "");

export const settings = readSettings(process.env);
