import { and, eq } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { doctors, facilities, name_aliases, norm_specialties } from '../database/schema/index.ts';
import type { ResolvedKind } from './service.ts';

export interface NewEntry { code: string; display: string; name: string; title: string | null; now: string }
export interface NewAlias { kind: ResolvedKind; entryId: number; alias: string; aliasKey: string; auto: boolean; now: string }

const TABLES = { doctors, facilities, specialties: norm_specialties } as const;

export function createNameRepository({ orm }: Database) {
  return {
    byAlias: (kind: ResolvedKind, key: string): number | null =>
      orm.select({ id: name_aliases.entry_id }).from(name_aliases).where(and(eq(name_aliases.kind, kind), eq(name_aliases.alias_key, key))).get()?.id ?? null,
    byCode: (kind: ResolvedKind, code: string): number | null =>
      orm.select({ id: TABLES[kind].id }).from(TABLES[kind]).where(eq(TABLES[kind].canonical_code, code)).get()?.id ?? null,
    exists: (kind: ResolvedKind, id: number): boolean => orm.select({ id: TABLES[kind].id }).from(TABLES[kind]).where(eq(TABLES[kind].id, id)).get() !== undefined,
    insert(kind: ResolvedKind, { code, display, name, title, now }: NewEntry): number {
      const common = { canonical_code: code, canonical_display: display, created_at: now };
      if (kind === 'doctors') return orm.insert(doctors).values({ ...common, name, title }).returning({ id: doctors.id }).get().id;
      if (kind === 'facilities') return orm.insert(facilities).values({ ...common, name }).returning({ id: facilities.id }).get().id;
      return orm.insert(norm_specialties).values(common).returning({ id: norm_specialties.id }).get().id;
    },
    addAlias: ({ kind, entryId, alias, aliasKey, auto, now }: NewAlias): void => {
      orm.insert(name_aliases).values({ kind, entry_id: entryId, alias, alias_key: aliasKey, auto_mapped: auto, created_at: now }).onConflictDoNothing().run();
    },
  };
}
