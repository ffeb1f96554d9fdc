import type { Quotas } from "#shared/contracts/keys/usage.ts";
import type { Platform, Settings } from "../platform/platform.ts";

type Limits = { [Name in keyof Quotas]-?: Exclude<Quotas[Name], undefined> };

/** The quotas of an account, and the accounts that share them. */
export interface Allowance {
  /** The account that the quotas belong to: for an organisation without its own, its creator. */
  payer: string;
  /** Accounts whose usage is counted together. */
  owners: string[];
  limits: Limits;
}

/** The service's quotas for an account. */
const usualQuotas = ({ ownerLimits, ...daily }: Settings): Limits => ({
  dailySamples: daily.dailySampleQuota,
  dailyJudgeUsd: daily.dailyJudgeUsd,
  datasets: ownerLimits.datasets.names,
  datasetVersions: ownerLimits.datasets.versions,
  datasetBytes: ownerLimits.datasets.bytes,
  runBytes: ownerLimits.runBytes,
  boards: ownerLimits.boards,
});

/** The quotas of an account: the service's, overridden by what the operator has set for it. */
export async function allowanceOf(platform: Platform, owner: string): Promise<Allowance> {
  const own = await platform.accounts.byOwner(owner);
  const isShared = own !== null && own.createdBy !== null && own.quotas === null;
  const payer = isShared ? (own.createdBy ?? owner) : owner;
  const record = isShared ? await platform.accounts.byOwner(payer) : own;
  return {
    payer,
    owners: [payer, ...(await platform.accounts.sharing(payer))],
    limits: { ...usualQuotas(platform.settings), ...(record?.quotas as Partial<Limits> | null) },
  };
}

/** The limits of datasets, as the store names them. */
export const datasetLimitsOf = ({ owners, limits }: Allowance) => ({
  owners,
  names: limits.datasets,
  versions: limits.datasetVersions,
  bytes: limits.datasetBytes,
});
