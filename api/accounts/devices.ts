import { textHash } from "#shared/contracts/content-hash.ts";
import type { Scope } from "#shared/contracts/keys/api-key.ts";
import type { Device, DeviceScope, StartedDevice } from "#shared/contracts/keys/device.ts";
import { createApiKey, keysRefusal } from "../keys/make-key.ts";
import type { ApiKeyRecord } from "../keys/schema.ts";
import type { Platform } from "../platform/platform.ts";
import { base64url } from "../security/base64url.ts";
import type { DeviceRecord } from "./schema.ts";

/** How long a person may take, and the shortest polling interval of the program. RFC 8628, 3.2 and 3.5. */
const DEVICE_MS = 10 * 60_000;
const INTERVAL_SECONDS = 5;
/** Lifetime of a key that a program gets. */
const KEY_MS = 90 * 86_400_000;

const SECRET_BYTES = 32;
/** Consonants only, so that codes form no words; RFC 8628, 6.1. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_LENGTH = 8;

/** A code such as BCDF-GHJK: 20⁸ are too many to guess in ten minutes. */
function newUserCode({ randomBytes }: Platform): string {
  let code = "";
  while (code.length < USER_CODE_LENGTH) {
    const [byte = 255] = randomBytes(1);
    // Bytes from 240 on would make the first letters more likely.
    if (byte < 240) code += LETTERS[byte % LETTERS.length];
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Normalizes a typed code: ignores case, blanks and hyphens. */
export function readUserCode(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, "");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

export async function startDevice(
  platform: Platform,
  { name, scope }: { name: string; scope: DeviceScope },
  origin: string,
): Promise<StartedDevice> {
  const now = platform.now();
  const deviceCode = base64url(platform.randomBytes(SECRET_BYTES));
  const userCode = newUserCode(platform);
  const expiresAt = now + DEVICE_MS;
  await platform.accounts.addDevice({
    hash: textHash(deviceCode),
    userCode,
    name,
    scope,
    state: "pending",
    owner: null,
    person: null,
    intervalSeconds: INTERVAL_SECONDS,
    askedAt: null,
    createdAt: now,
    expiresAt,
  });
  return {
    deviceCode,
    userCode,
    verificationUri: `${origin}/account/`,
    verificationUriComplete: `${origin}/account/?code=${userCode}`,
    expiresAt: new Date(expiresAt).toISOString(),
    intervalSeconds: INTERVAL_SECONDS,
  };
}

/** The reply to a program that polls for its key. */
export type DeviceAnswer =
  | { kind: "key"; key: string; record: ApiKeyRecord }
  | { kind: "pending" | "slow-down"; intervalSeconds: number }
  | { kind: "full"; detail: string }
  | { kind: "unknown" | "expired" | "denied" };

/** Gives a program its key, once, after a person has approved it. */
export async function askForKey(platform: Platform, deviceCode: string): Promise<DeviceAnswer> {
  const now = platform.now();
  const hash = textHash(deviceCode);
  const device = await platform.accounts.device(hash);
  if (device === null) return { kind: "unknown" };
  if (device.expiresAt <= now) return { kind: "expired" };
  const { askedAt, intervalSeconds } = device;
  const isSoon = askedAt !== null && now - askedAt < intervalSeconds * 1_000;
  const interval = isSoon ? intervalSeconds + INTERVAL_SECONDS : intervalSeconds;
  await platform.accounts.markDeviceAsked(hash, interval, now);
  if (isSoon) return { kind: "slow-down", intervalSeconds: interval };
  if (device.state === "pending") return { kind: "pending", intervalSeconds: interval };
  const taken = await platform.accounts.takeDevice(hash);
  if (taken === null) return { kind: "unknown" };
  const { state, owner, person, name, scope } = taken;
  if (state !== "approved" || owner === null) return { kind: "denied" };
  const expiresAt = new Date(now + KEY_MS).toISOString();
  // A key of an organisation can't manage organisations: other members may use it.
  const isManager = scope === "organisations" && owner === person;
  const scopes: Scope[] = isManager ? ["submit", "organisations"] : ["submit"];
  const wanted = { owner, name, scopes, expiresAt };
  const { isStored, ...made } = await createApiKey(platform, wanted, person);
  if (isStored) return { kind: "key", ...made };
  const tooMany = await keysRefusal(platform, owner);
  return tooMany === null ? { kind: "denied" } : { kind: "full", detail: tooMany };
}

/** A program that waits for a person's decision; null for an unknown, decided or expired code. */
export async function waitingDevice(platform: Platform, typed: string): Promise<Device | null> {
  const found = await platform.accounts.deviceByUserCode(readUserCode(typed));
  const isWaiting = found?.state === "pending" && found.expiresAt > platform.now();
  return isWaiting ? deviceView(found) : null;
}

const deviceView = ({ userCode, name, scope, createdAt, expiresAt }: DeviceRecord): Device => ({
  userCode,
  name,
  scope,
  createdAt: new Date(createdAt).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
});
