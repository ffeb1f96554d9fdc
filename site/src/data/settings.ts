import { UNKNOWN_ORIGIN } from "#shared/contracts/boards/public-origin.ts";
import { hasUserInfo } from "#shared/contracts/text/web-address.ts";

/** The source of results and the addresses shown to readers, all from the environment. */
export type Settings = ReturnType<typeof readSettings>;

export function readSettings(env: Record<string, string | undefined>) {
  const addressOf = (name: string): string => {
    const address = env[name] ?? "";
    // Addresses appear in pages.
    if (hasUserInfo(address)) throw new Error(`${name} must not contain a user name or password`);
    return trimSlash(address);
  };
  const origin = addressOf("ASSAY_ORIGIN") || null;
  const apiOrigin = addressOf("ASSAY_PUBLIC_ORIGIN") || UNKNOWN_ORIGIN;
  return {
    /** API to load the snapshot from. */
    origin,
    /** Folder with snapshot.json and runs/{id}.json, instead of an API. */
    snapshotDir: env.ASSAY_SNAPSHOT_DIR || null,
    /** API address in examples and links; default: a placeholder that is replaced when pages are served. */
    apiOrigin,
    /** Address of this site, for badges that link to it. */
    siteOrigin: addressOf("ASSAY_SITE_ORIGIN") || apiOrigin,
    cacheDir: env.ASSAY_CACHE_DIR || ".cache/site-runs",
    files: filesOf(env),
    /** The operator; null unless all settings are given, so that no page names anybody. */
    operator: operatorOf(env),
    /** Names of the datasets whose boards are on the home page, by suite. */
    firstDatasets: readPairs(env.ASSAY_FIRST_DATASETS ?? ""),
  };
}

/** Settings that fill in the terms and privacy pages; all are required. */
export const operatorVariables = {
  name: "ASSAY_OPERATOR_NAME",
  address: "ASSAY_OPERATOR_ADDRESS",
  mail: "ASSAY_OPERATOR_MAIL",
  jurisdiction: "ASSAY_OPERATOR_JURISDICTION",
};

/** The operator, as named in the terms. */
export type Operator = typeof operatorVariables;

function operatorOf(env: Record<string, string | undefined>): Operator | null {
  const given = (variable: string) => (env[variable] ?? "").trim();
  const { name, address, mail, jurisdiction } = operatorVariables;
  const operator = {
    name: given(name),
    address: given(address),
    mail: given(mail),
    jurisdiction: given(jurisdiction),
  };
  return Object.values(operator).every((value) => value !== "") ? operator : null;
}

/** Number of the site's files: pages of models and runs fill up to `usual`; other pages may use up to `most`. */
export interface FileCounts {
  usual: number;
  most: number;
}

/** Source: developers.cloudflare.com, Workers limits, static assets (2026-11): 20,000 on the Free plan, 100,000 on Paid. */
const USUAL_FILES = 20_000;
const MOST_FILES = 100_000;
/** Reserved for pages that do not depend on results, styles and scripts: three times the current number. */
export const FEWEST_FILES = 500;

function filesOf(env: Record<string, string | undefined>): FileCounts {
  const countOf = (name: string, usual: number): number => {
    const text = env[name] ?? "";
    const count = Number(text || usual);
    if (Number.isInteger(count) && count >= FEWEST_FILES) return count;
    throw new Error(`${name} must be a whole number of ${FEWEST_FILES} or more, not "${text}"`);
  };
  const most = countOf("ASSAY_SITE_FILES_MAX", MOST_FILES);
  return { usual: Math.min(most, countOf("ASSAY_SITE_FILES", USUAL_FILES)), most };
}

/** Reads `extraction=paraloq,tools=bfcl`. */
function readPairs(text: string): Map<string, string> {
  const parts = text.split(",").map((part) => part.trim());
  return new Map(
    parts.flatMap((part) => {
      const [suite = "", name = ""] = part.split("=");
      return suite && name ? [[suite, name]] : [];
    }),
  );
}

/** The default address of a service, also in texts that are read outside of the site. */
const usualService = "http://localhost:8787";

/** A text's commands with the address of this site's service. */
export const forThisService = (commands: string): string =>
  commands.replaceAll(usualService, settings.apiOrigin);

const trimSlash = (url: string): string => url.replace(/\/+$/, "");

export const settings = readSettings(process.env);
