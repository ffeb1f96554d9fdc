import { registerDataset } from "../../../api/datasets/register-dataset.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { tools } from "../../../shared/suites/tools/suite.ts";

/** A name that no other dataset has. */
export const newName = (prefix: string) => `${prefix}-${crypto.randomUUID().slice(0, 8)}`;

/** Registers a public dataset, of the local account by default, and returns its name. */
export async function aDataset(
  platform: Platform,
  suite: Suite,
  rows: readonly object[],
  {
    name = newName(suite.id),
    ...owner
  }: { name?: string; owner?: string; anyOwner?: boolean } = {},
): Promise<string> {
  const registered = await registerDataset(platform, {
    suite,
    name,
    visibility: "public",
    owner: "local",
    anyOwner: true,
    file: new TextEncoder().encode(rows.map((row) => JSON.stringify(row)).join("\n")),
    allowPartial: false,
    ...owner,
  });
  if (!registered.ok) throw new Error(JSON.stringify(registered.error));
  return name;
}

/** Ten samples of the tools suite that expect one call each. */
export const pingDataset = (platform: Platform): Promise<string> =>
  aDataset(
    platform,
    tools,
    Array.from({ length: 10 }, (_, n) => ({
      id: `s${n}`,
      difficulty: "easy",
      messages: [{ role: "user", content: `Ping ${n}.` }],
      tools: [{ type: "function", function: { name: "ping", parameters: { type: "object" } } }],
      expected_calls: [{ name: "ping", arguments: { n } }],
    })),
  );
