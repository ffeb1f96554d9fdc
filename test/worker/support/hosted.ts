import type { Platform } from "../../../api/platform/platform.ts";
import { publish } from "../../../api/publication/publish.ts";
import type { Scope } from "../../../shared/contracts/keys/api-key.ts";
import { anApp, latestSnapshot } from "./client.ts";
import { anAccount, harness } from "./harness.ts";

/** A service that requires keys; each key is the account of the same name, and "root" has all rights. */
export function hosted(overrides: Partial<Platform> = {}, scopes: Scope[] = ["admin", "submit"]) {
  const { platform, ...rest } = harness(overrides);
  const asked = { ...platform, settings: { ...platform.settings, requireApiKey: true } };
  const app = anApp(asked, async (_c, key) => anAccount(key, key === "root" ? { scopes } : {}));
  const call = (
    as: string | null,
    method: string,
    path: string,
    body?: BodyInit,
    type = "application/jsonl",
  ) =>
    app.request(`http://assay.test${path}`, {
      method,
      headers: {
        "content-type": type,
        ...(as !== null && { authorization: `Bearer ${as}` }),
      },
      ...(body !== undefined && { body }),
    });
  const upload = (as: string, name: string, rows: readonly string[], more = "&visibility=public") =>
    call(as, "POST", `/v1/datasets?suite=relay&name=${name}${more}`, rows.join("\n"));
  return { ...rest, platform: asked, call, upload };
}

/** New rows for each test, because datasets with the same rows share versions. */
export function someRows(count = 2) {
  const tag = crypto.randomUUID();
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `s${i}`,
    first: `word ${tag} ${i}`,
    expected: "X",
  }));
  return {
    ordered: rows.map((row) => JSON.stringify(row)),
    turned: rows.map(({ id, first, expected }) => JSON.stringify({ expected, first, id })),
  };
}

/** Publishes, and returns the boards of a dataset that the snapshot lists. */
export async function listedBoards(platform: Platform, dataset: string) {
  await publish(platform);
  const { boards } = await latestSnapshot(platform);
  return boards.filter((board) => board.dataset.name === dataset);
}
