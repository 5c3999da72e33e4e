import type { ModelUse } from '../../../src-shared/contract/providers.ts';
import type { ModelPurpose } from '../../../src-shared/contract/provider-types.ts';
import type { StageUsage } from '../../../src-shared/contract/rows.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';

interface Deps {
  db: Database;
  clock: Clock;
}

const DAY_MS = 86_400_000;
const RECENT_DAYS = 30;

/** What models used, in sums of a day: neither questions nor documents nor people can be told apart in it. */
export const createUsageLog = (deps: Deps) => bindFirst(deps, { add: addUse, recent: listRecent });
export type UsageLog = ReturnType<typeof createUsageLog>;

const dayOf = (ms: number): string => toTimestamp(ms).slice(0, 10);

function addUse({ db, clock }: Deps, purpose: ModelPurpose, usage: StageUsage): void {
  const { provider, tokens_in, tokens_out, amount, currency } = usage;
  db.prepare(
    `INSERT INTO model_usage (day, purpose, provider, currency, answers, tokens_in, tokens_out, amount)
      VALUES (?, ?, ?, ?, 1, ?, ?, ?) ON CONFLICT DO UPDATE SET answers = answers + 1,
      tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out,
      amount = CASE WHEN excluded.amount IS NULL THEN amount ELSE coalesce(amount, 0) + excluded.amount END`,
  ).run(dayOf(clock.now()), purpose, provider, currency ?? '', tokens_in, tokens_out, amount);
}

/** The sums of the last 30 days, the purpose with most tokens first. */
function listRecent({ db, clock }: Deps): { since: string; uses: ModelUse[] } {
  const since = dayOf(clock.now() - (RECENT_DAYS - 1) * DAY_MS);
  const uses = db
    .prepare(
      `SELECT purpose, provider, sum(answers) AS answers, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out,
        sum(amount) AS amount, nullif(currency, '') AS currency
        FROM model_usage WHERE day >= ? GROUP BY purpose, provider, currency
        ORDER BY sum(tokens_in + tokens_out) DESC, purpose, provider, currency`,
    )
    .all(since) as ModelUse[];
  return { since, uses };
}
