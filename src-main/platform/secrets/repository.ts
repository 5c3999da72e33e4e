import { and, eq } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { providers, settings } from '../database/schema/index.ts';

/** Removes sealed values from the tables that may contain them; a provider keeps its other fields. */
export function clearSealed(db: Database, isSealed: (value: unknown) => boolean): void {
  db.transaction(() => {
    for (const row of db.orm.select().from(settings).all())
      if (isSealed(row.value)) db.orm.delete(settings).where(eq(settings.key, row.key)).run();
    for (const row of db.orm.select().from(providers).all()) {
      const unsealed = Object.fromEntries(Object.entries(row.settings).filter(([, value]) => !isSealed(value)));
      db.orm
        .update(providers)
        .set({ settings: unsealed })
        .where(and(eq(providers.kind, row.kind), eq(providers.id, row.id)))
        .run();
    }
  });
}
