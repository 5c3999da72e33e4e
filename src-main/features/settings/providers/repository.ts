import { asc, eq } from 'drizzle-orm';
import type { Database } from '../../../platform/database/connection.ts';
import { providers } from '../../../platform/database/schema/index.ts';

/** A provider or credential; secrets are sealed. */
export type StoredProvider = typeof providers.$inferSelect;
export type StoredKind = StoredProvider['kind'];

export function createProviderRepository({ orm }: Database) {
  return {
    /** In order. */
    all: (): StoredProvider[] => orm.select().from(providers).orderBy(asc(providers.position)).all(),
    /** Replaces a list; joins a running transaction. */
    replace(kind: StoredKind, rows: readonly Omit<StoredProvider, 'kind' | 'position'>[]): void {
      orm.delete(providers).where(eq(providers.kind, kind)).run();
      for (const [position, row] of rows.entries())
        orm
          .insert(providers)
          .values({ ...row, kind, position })
          .run();
    },
  };
}
