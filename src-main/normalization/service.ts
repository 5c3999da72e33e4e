import type { Database } from '../database/connection.ts';
import { toTimestamp, type Clock } from '../kernel/clock.ts';
import { createNameRepository } from './repository.ts';
import { aliasKey, splitTitle } from './name-key.ts';

export { aliasKey, foldName } from './name-key.ts';

/** Kinds whose entries come into being when a document names them. */
export type ResolvedKind = 'doctors' | 'facilities' | 'specialties';

export interface Names {
  /** The entry that a printed name means; made when no code or alias fits. Joins a running transaction. */
  resolve(kind: ResolvedKind, printed: string, options: { auto: boolean }): number;
  /** The entry, or null; makes nothing. */
  find(kind: ResolvedKind, printed: string): number | null;
  exists(kind: ResolvedKind, id: number): boolean;
}

export function createNames({ db, clock }: { db: Database; clock: Clock }): Names {
  const repository = createNameRepository(db);
  const find = (kind: ResolvedKind, printed: string): number | null =>
    repository.byAlias(kind, aliasKey(kind, printed)) ?? repository.byCode(kind, codeOf(kind, printed));
  return {
    find,
    exists: (kind, id) => repository.exists(kind, id),
    resolve: (kind, printed, { auto }) => db.transaction(() => {
      const found = find(kind, printed);
      const now = toTimestamp(clock.now());
      if (found !== null) {
        repository.addAlias({ kind, entryId: found, alias: printed.trim(), aliasKey: aliasKey(kind, printed), auto, now });
        return found;
      }
      const made = repository.insert(kind, { ...describe(kind, printed), code: codeOf(kind, printed), now });
      repository.addAlias({ kind, entryId: made, alias: printed.trim(), aliasKey: aliasKey(kind, printed), auto, now });
      return made;
    }),
  };
}

const codeOf = (kind: ResolvedKind, printed: string): string => aliasKey(kind, printed).replaceAll(' ', '-').slice(0, 80) || 'unnamed';

function describe(kind: ResolvedKind, printed: string): { display: string; name: string; title: string | null } {
  const display = printed.trim().replace(/\s+/g, ' ');
  if (kind !== 'doctors') return { display, name: display, title: null };
  const { title, name } = splitTitle(display);
  return { display, name, title };
}
