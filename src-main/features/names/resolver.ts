import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import type { EventBus } from '../../platform/kernel/events.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import type { Knowledge } from '../../reading/knowledge/service.ts';
import { createReferenceRepository } from './reference-repository.ts';
import { createNameRepository } from './repository.ts';
import { createEntryResolver, type ResolveOptions } from './resolve-name.ts';
import { createNameRights } from './rights.ts';

export type { ResolveOptions } from './resolve-name.ts';

export interface NameResolver {
  /** Finds the entry of a printed name, or creates one. Joins a running transaction. */
  resolve(kind: NameKind, printed: string, options: ResolveOptions): number;
  /** Finds the entry with this name without creating one. `sample` is the laboratory's word for a test's specimen. */
  find(kind: NameKind, printed: string, sample?: string | null): number | null;
  /** Whether this user may use the entry: they can see a record that refers to it, or it is unused. */
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
  const rights = createNameRights({ access, references: createReferenceRepository(db), exists: repository.exists });
  const resolver = createEntryResolver({
    repository,
    knowledge,
    language,
    now: () => toTimestamp(clock.now()),
    notifyRenamed: (kind, id) => void events.emit('nameRenamed', { kind, id }),
  });
  return {
    find: (kind, printed, sample) => resolver.find(kind, printed, sample),
    knows: rights.sees,
    prepare: resolver.prepare,
    resolve: (kind, printed, options) => db.transaction(() => resolver.resolve(kind, printed, options)),
  };
}
