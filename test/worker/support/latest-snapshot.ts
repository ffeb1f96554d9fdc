import type { Platform } from "../../../api/platform/platform.ts";
import { readSnapshot } from "../../../shared/contracts/boards/read-snapshot.ts";
import type { Snapshot } from "../../../shared/contracts/boards/snapshot.ts";
import { serve } from "./client.ts";

/** Everything that is published, read as the site reads it. */
export async function latestSnapshot(platform: Platform): Promise<Snapshot> {
  const api = serve(platform);
  const { snapshot } = await readSnapshot(async (path) => {
    const response = await api.get(path);
    if (response.ok) return response.json();
    throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  });
  return snapshot;
}
