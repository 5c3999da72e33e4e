import type { BackupPlan } from '../../../src-shared/contract/vault-backups.ts';

/** Form values of the backup plan. */
export interface PlanDraft {
  folder: string;
  every: BackupPlan['every'];
  at: string;
  keep_daily: string;
  keep_weekly: string;
  keep_monthly: string;
  include_secrets: boolean;
}

/** Bounds of the retention counts, as in the contract. */
export const KEEP_LIMITS = { keep_daily: [1, 366], keep_weekly: [0, 260], keep_monthly: [0, 240] } as const;

export const draftOf = (plan: BackupPlan): PlanDraft => ({
  ...plan,
  folder: plan.folder ?? '',
  keep_daily: String(plan.keep_daily),
  keep_weekly: String(plan.keep_weekly),
  keep_monthly: String(plan.keep_monthly),
});

/** Parses the plan; null if a number or the time is invalid. An empty folder means none. */
export function planOf(draft: PlanDraft): BackupPlan | null {
  const keeps = Object.entries(KEEP_LIMITS).map(([name, [min, max]]): [string, number | null] => {
    const text = draft[name as keyof typeof KEEP_LIMITS].trim();
    const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    return [name, value >= min && value <= max ? value : null];
  });
  if (keeps.some(([, value]) => value === null) || !/^([01]\d|2[0-3]):[0-5]\d$/.test(draft.at)) return null;
  return {
    ...draft,
    folder: draft.folder.trim() || null,
    ...(Object.fromEntries(keeps) as Pick<BackupPlan, keyof typeof KEEP_LIMITS>),
  };
}
