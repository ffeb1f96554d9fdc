import type { Child } from "hono/jsx";
import type { AccountView, Session, SignIn } from "#shared/contracts/keys/account.ts";
import type { ApiKey, CreatedApiKey } from "#shared/contracts/keys/api-key.ts";
import type { Device } from "#shared/contracts/keys/device.ts";
import type { Usage } from "#shared/contracts/keys/usage.ts";
import { usageRows } from "#shared/measures/usage-rows.ts";
import { formatDate, formatTime } from "../../format/date.ts";
import { formatCount } from "../../format/number.ts";

/** Ways to sign in; they return to `to`. */
export const SignInView = ({ providers, to }: SignIn & { to: string }) =>
  providers.length === 0 ? (
    <p class="prose">
      This service has no sign-in. API keys are made by its operator: ask for one.
    </p>
  ) : (
    <>
      <p class="prose">
        An account has keys of its own. Its name is your login, and names of your models begin with
        it. Assay asks only for your public profile.
      </p>
      <p class="form-row">
        {providers.map(({ label, url }) => (
          <a class="action" href={`${url}?to=${encodeURIComponent(to)}`}>
            Sign in with {label}
          </a>
        ))}
      </p>
    </>
  );

export const WhoView = ({ account }: { account: AccountView }) => {
  const { owner, name, login, provider, scopes } = account;
  return (
    <p class="lead">
      Signed in as <strong>{owner}</strong>
      {name !== null && ` (${name})`}
      {provider !== null && `, ${login} at ${provider}`}
      {scopes.includes("admin") && ", an admin"}.
    </p>
  );
};

/** What the account uses of its quotas. */
export const UsageView = ({ usage }: { usage: Usage }) => (
  <>
    <ListTable
      label="List of quotas"
      heads={["Quota", "Used", "Allowed", "Begins again"]}
      rows={usageRows(usage).map((row) => [
        row.quota,
        row.used,
        row.allowed,
        row.resets && formatTime(row.resets),
      ])}
    />
    {usage.sharedWith.length > 0 && (
      <p class="small soft">Shared with {usage.sharedWith.join(", ")}.</p>
    )}
  </>
);

/** A program that asks to be signed in. */
export const DeviceView = ({
  device,
  owner,
  isPerson,
}: {
  device: Device;
  owner: string;
  isPerson: boolean;
}) => {
  const managesOrganisations = device.scope === "organisations";
  return (
    <section aria-labelledby="device" class="notice">
      <h2 id="device">Sign in a program?</h2>
      <p>
        “{device.name}” asks for a key of {owner}, for 90 days. It can submit runs and datasets
        {managesOrganisations && isPerson && ", and manage your organisations and their members"}.
      </p>
      {managesOrganisations && !isPerson && (
        <p>
          It also asks to manage organisations. A key of {owner} can't: act for yourself to allow
          it.
        </p>
      )}
      <p>
        Approve it only if you started it yourself just now, and it shows this code:{" "}
        <strong class="nowrap">{device.userCode}</strong>
      </p>
      <p class="form-row">
        <button type="button" class="action" data-decide="approve">
          Approve
        </button>
        <button type="button" data-decide="deny">
          Deny
        </button>
      </p>
    </section>
  );
};

type Cell = Child | false;

/** A table whose rows begin with a name; rows with an additional cell end with buttons. */
export const ListTable = ({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly string[];
  rows: readonly (readonly Cell[])[];
}) => {
  const hasActions = rows.some(({ length }) => length > heads.length);
  const isWide = heads.length + Number(hasActions) > 4;
  return (
    <>
      {isWide && <p class="swipe small soft">More columns to the right: swipe.</p>}
      <section class="scroll" tabindex={0} aria-label={label}>
        <table class={isWide ? "list-wide" : undefined}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th scope="col">{head}</th>
              ))}
              {hasActions && (
                <th scope="col">
                  <span class="visually-hidden">Action</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr>
                <th scope="row">{name}</th>
                {cells.map((cell) => (
                  <td>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
};

export const KeysView = ({ keys }: { keys: readonly ApiKey[] }) =>
  keys.length === 0 ? (
    <p class="soft">No keys yet.</p>
  ) : (
    <ListTable
      label="List of API keys"
      heads={["Purpose", "Allows", "Made", "Last used", "Ends", "Samples a day"]}
      rows={keys.map((key) => [
        key.name,
        key.scopes.join(", "),
        formatDate(key.createdAt),
        key.lastUsedAt === null ? "never" : formatTime(key.lastUsedAt),
        key.expiresAt === null ? "never" : formatDate(key.expiresAt),
        key.dailySamples === null ? "as the account" : formatCount(key.dailySamples),
        <button type="button" data-revoke={key.id} aria-label={`Revoke ${key.name}`}>
          Revoke
        </button>,
      ])}
    />
  );

export const MadeKeyView = ({ made }: { made: CreatedApiKey }) => (
  <div class="notice">
    <p>The key “{made.name}” is shown only now. Keep it like a password:</p>
    <pre class="wrap" tabindex={0}>
      <code>{made.key}</code>
    </pre>
  </div>
);

/** Signed-in browsers of the account. */
export const SessionsView = ({ sessions }: { sessions: readonly Session[] }) => (
  <ListTable
    label="List of browsers"
    heads={["Browser", "Signed in", "Last used"]}
    rows={sessions.map(({ id, browser, createdAt, lastUsedAt, isCurrent }) => [
      `${browserName(browser)}${isCurrent ? " (this one)" : ""}`,
      formatDate(createdAt),
      formatTime(lastUsedAt),
      !isCurrent && (
        <button type="button" data-end={id} aria-label={`Sign out ${browserName(browser)}`}>
          Sign out
        </button>
      ),
    ])}
  />
);

const browsers: readonly [RegExp, string][] = [
  [/\bEdg\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/\bFirefox\//, "Firefox"],
  [/\b(Headless)?Chrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * A short name of a browser from its User-Agent.
 * @example browserName("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0") // "Firefox on Linux"
 */
function browserName(agent: string): string {
  const nameIn = (known: readonly [RegExp, string][]) =>
    known.find(([pattern]) => pattern.test(agent))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined) return agent.slice(0, 40) || "unknown";
  return system === undefined ? browser : `${browser} on ${system}`;
}
