import type { ApiKey } from "#shared/contracts/api-key.ts";
import { printable } from "../printable.ts";
import { formatCount } from "../score/format-value.ts";
import { textTable } from "../score/text-table.ts";

const head = ["id", "owner", "name", "scopes", "created", "expires", "last used", "samples a day"];

/** API keys as a table. */
export function keysText(keys: readonly ApiKey[]): string {
  const rows = keys.map((key) => [
    key.id,
    key.owner,
    key.name,
    key.scopes.join(", "),
    ...[key.createdAt, key.revokedAt ?? key.expiresAt, key.lastUsedAt].map(dayOf),
    key.dailySamples === null ? "" : formatCount(key.dailySamples),
  ]);
  const marked = rows.map((row, i) =>
    keys[i]?.revokedAt == null ? row : row.with(5, `revoked ${row[5]}`),
  );
  return textTable([head, ...marked], (column) => column < head.length - 1)
    .map(printable)
    .join("\n");
}

const dayOf = (time: string | null): string => time?.slice(0, "2026-01-01".length) ?? "";
