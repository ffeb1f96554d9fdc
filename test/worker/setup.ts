import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { useQuickStorage } from "./quick-storage/quick-storage.ts";

/** Runs before each file: all files share one Worker, and each finds it empty. */
useQuickStorage();
await applyD1Migrations(env.DB, env.MIGRATIONS);
await emptyTables();
await emptyBucket();

async function emptyTables(): Promise<void> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%' AND name != 'd1_migrations'",
  ).all<{ name: string }>();
  await env.DB.batch(results.map(({ name }) => env.DB.prepare(`DELETE FROM "${name}"`)));
}

async function emptyBucket(): Promise<void> {
  for (let more = true; more; ) {
    const { objects, truncated } = await env.RESULTS.list();
    await env.RESULTS.delete(objects.map(({ key }) => key));
    more = truncated;
  }
}
