import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { EventBus } from '../../platform/kernel/events.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { Knowledge } from '../../reading/knowledge/service.ts';
import { adoptNames } from './adopt.ts';
import type { MovingRecord } from './moving-record-repository.ts';
import type { Home } from './circle.ts';
import { createNameCircles } from './circles.ts';
import { createReferenceRepository } from './reference-repository.ts';
import { createNameRepository } from './repository.ts';
import { createEntryResolver, type ResolveOptions } from './resolve-name.ts';
import { createNameRights } from './rights.ts';

export type { ResolveOptions } from './resolve-name.ts';

export interface NameResolver {
  /**
   * Finds the entry of a name in a record of this home, or creates one. What records of other circles contain has no
   * influence. Joins a running transaction.
   */
  resolve(home: Home, kind: NameKind, printed: string, options: ResolveOptions): number;
  /** Prepares the names of a record for another owner, in the transaction that moves it and before the move. */
  adopt(record: MovingRecord, home: Home): void;
  /** Whether this user may use the entry: they can see a record that refers to it, or change its unused home. */
  knows(user: UserCaller, kind: NameKind, id: number): boolean;
  /** Loads the knowledge base in slices, so that the first `resolve` does not block other requests. */
  prepare(): Promise<void>;
}

export interface NameResolverDeps {
  db: Database;
  clock: Clock;
  access: AccessRules;
  knowledge: Knowledge;
  /** Language code in which entries of the knowledge base are shown. */
  language: () => string;
  events: EventBus;
}

/** The interface through which other features turn printed names into entries. */
export function createNameResolver({ db, clock, access, knowledge, language, events }: NameResolverDeps): NameResolver {
  const repository = createNameRepository(db);
  const references = createReferenceRepository(db);
  const rights = createNameRights({ access, references, repository });
  const circles = createNameCircles({ db, access });
  const now = (): string => toTimestamp(clock.now());
  const resolver = createEntryResolver({
    repository,
    within: (home) => circles.of(home).repository,
    knowledge,
    language,
    now,
    notifyRenamed: (kind, id) => void events.emit('nameRenamed', { kind, id }),
  });
  return {
    knows: rights.sees,
    prepare: resolver.prepare,
    adopt: (record, home) =>
      db.transaction(() => adoptNames({ db, repository, references, circles, now }, record, home)),
    resolve: (home, kind, printed, options) =>
      db.transaction(() => resolver.resolve(kind, printed, { ...options, home })),
  };
}
