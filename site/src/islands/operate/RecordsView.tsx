import type { AuditEntry } from "#shared/contracts/operator/audit.ts";
import type { OperatorSettings } from "#shared/contracts/operator/overview.ts";
import { formatTime } from "../../format/date.ts";
import { ScrollTable } from "../../report/ScrollTable.tsx";

const stateOf = (state: AuditEntry["before"]): string =>
  state === null ? "–" : JSON.stringify(state);

export const AuditView = ({ entries }: { entries: readonly AuditEntry[] }) => (
  <section>
    <h2 id="audit">Latest actions</h2>
    {entries.length === 0 ? (
      <p>No action is recorded.</p>
    ) : (
      <ScrollTable
        label="Latest actions"
        wide
        columns={["Time", "Account", "Action", "Target", "Reason", "Before", "After"]}
      >
        <tbody>
          {entries.map(({ at, actor, action, target, reason, before, after, status }) => (
            <tr>
              <td class="nowrap">{formatTime(at)}</td>
              <td>{actor}</td>
              <td>{status < 500 ? action : `${action} (failed)`}</td>
              <td>{target}</td>
              <td>{reason ?? "–"}</td>
              <td>
                <code>{stateOf(before)}</code>
              </td>
              <td>
                <code>{stateOf(after)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    )}
  </section>
);

export const SettingsView = ({ settings }: OperatorSettings) => (
  <section>
    <h2 id="settings">Settings in force</h2>
    <ScrollTable label="Settings in force" columns={["Setting", "Value"]}>
      <tbody>
        {settings.map(({ name, value }) => (
          <tr>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{value === "" ? "–" : value}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  </section>
);
