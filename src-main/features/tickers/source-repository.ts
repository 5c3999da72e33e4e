import { eq } from 'drizzle-orm';
import { type StoredList, storedList } from '../../../src-shared/contract/ticker-source.ts';
import type { Database } from '../../platform/database/connection.ts';
import { settings } from '../../platform/database/schema/index.ts';

const KEY = 'ticker.source_list';

const EMPTY: StoredList = { is_on: false, next_id: 1, devices: [], symbols: [] };

export type SourceRepository = ReturnType<typeof createSourceRepository>;

/** The list that was edited in Hearth, one row of the settings. */
export const createSourceRepository = ({ orm }: Database) => ({
  /** What a later version wrote and this one does not know counts as empty. */
  read(): StoredList {
    const row = orm.select({ value: settings.value }).from(settings).where(eq(settings.key, KEY)).get();
    return storedList.safeParse(row?.value).data ?? EMPTY;
  },
  write(list: StoredList, now: string): void {
    orm
      .insert(settings)
      .values({ key: KEY, value: list, updated_at: now })
      .onConflictDoUpdate({ target: settings.key, set: { value: list, updated_at: now } })
      .run();
  },
});
