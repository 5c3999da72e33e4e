import type { AccessRules } from '../../platform/access/access.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { Home } from './circle.ts';
import type { ReferenceRepository } from './reference-repository.ts';
import type { Viewer } from './references.ts';
import type { EntryRow, NameRepository } from './repository.ts';
import { separateOthers } from './separate.ts';

export type NameRights = ReturnType<typeof createNameRights>;

export interface NameRightsDeps {
  access: AccessRules;
  references: ReferenceRepository;
  repository: NameRepository;
}

/** The home of an entry; null if it is unknown. */
export function homeOf({ home_patient_id, home_user_id }: EntryRow): Home | null {
  if (home_patient_id === null && home_user_id === null) return null;
  return { patientId: home_patient_id, uploaderId: home_user_id === 0 ? null : home_user_id };
}

/**
 * The only place that decides who sees a name and what a change of it affects (ADR 0059). Both follow the records that
 * refer to an entry: users see it if they may see such a record, and change it for the records that they may change. An
 * unused entry belongs to its home. Roles give no further rights: administrators without a grant see no names.
 */
export function createNameRights(deps: NameRightsDeps) {
  const { access, references, repository } = deps;
  const viewer = (user: UserCaller): Viewer => ({
    patients: JSON.stringify(access.visiblePatients(user.userId)),
    writable: JSON.stringify(user.role === 'viewer' ? [] : access.ownedPatients(user.userId)),
    user: user.userId,
    admin: Number(user.role === 'admin'),
  });
  const mayWrite = (user: UserCaller, home: Home): boolean => access.may(user, 'write', home);
  /** The owners of the records that refer to an entry, or its home if there are none. */
  const ownersOf = (kind: NameKind, id: number): Home[] => {
    const owners = references.owners(kind, id);
    if (owners.length > 0) return owners;
    const row = repository.entry(kind, id);
    const home = row ? homeOf(row) : null;
    return home ? [home] : [];
  };
  const sees = (user: UserCaller, kind: NameKind, id: number): boolean =>
    repository.exists(kind, id) &&
    (references.isSeen(kind, id, viewer(user)) ||
      (!references.isUsed(kind, id) && ownersOf(kind, id).some((home) => mayWrite(user, home))));
  const requireSeen = (user: UserCaller, kind: NameKind, id: number): void => {
    if (!sees(user, kind, id)) throw fail('name.not_found');
  };
  const mayChange = (user: UserCaller, kind: NameKind, id: number): boolean =>
    ownersOf(kind, id).some((home) => mayWrite(user, home));
  const mayChangeAll = (user: UserCaller, kind: NameKind, id: number): boolean => {
    const owners = ownersOf(kind, id);
    return owners.length > 0 && owners.every((home) => mayWrite(user, home));
  };
  const mayChangeHome = (user: UserCaller, entry: EntryRow): boolean => {
    const home = homeOf(entry);
    return home !== null && mayWrite(user, home);
  };
  return {
    viewer,
    sees,
    requireSeen,
    /** Whether the user may change a record that refers to the entry, or the home of an unused one. */
    mayChange,
    /** Whether the user may change every record that refers to the entry. */
    mayChangeAll,
    /** Whether the user may change the records to which an entry belongs, also one that was removed. */
    mayChangeHome,
    /**
     * Prepares a change of an entry, which must affect only the records that the user may change: all other records are
     * given an entry of their own, with the present names. Part of the caller's transaction.
     *
     * @throws `name.not_found`, `auth.read_only`
     */
    claim(user: UserCaller, kind: NameKind, id: number): void {
      requireSeen(user, kind, id);
      const owners = Map.groupBy(ownersOf(kind, id), (home) => mayWrite(user, home));
      const own = owners.get(true)?.[0];
      if (own === undefined) throw fail('auth.read_only');
      const others = owners.get(false) ?? [];
      const isOwn = (home: Home): boolean => mayWrite(user, home);
      separateOthers(deps, kind, id, { own, others, isOwn });
    },
  };
}
