import type { AccessRules } from '../../platform/access/access.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { ReferenceRepository } from './reference-repository.ts';
import type { Viewer } from './references.ts';

export type NameRights = ReturnType<typeof createNameRights>;

/**
 * Access to names follows the records that refer to them, because the names in use reveal information about patients.
 * Users see an entry if they may see such a record; everyone except viewers sees unused entries. Changing an entry
 * requires the right to change one of its records; deleting it, which clears the references, requires the right to
 * change all of them.
 */
export function createNameRights({
  access,
  references,
  exists,
}: {
  access: AccessRules;
  references: ReferenceRepository;
  exists: (kind: NameKind, id: number) => boolean;
}) {
  const viewer = (user: UserCaller): Viewer => ({
    patients: JSON.stringify(access.visiblePatients(user.userId)),
    user: user.userId,
    admin: Number(user.role === 'admin'),
  });
  const seesUnused = (user: UserCaller): boolean => user.role !== 'viewer';
  const mayWrite = (user: UserCaller, kind: NameKind, id: number): { someRecord: boolean; allRecords: boolean } => {
    const { patients, unsortedUploaders } = references.users(kind, id);
    const rights = [
      ...patients.map((patientId) => access.may(user, 'write', { patientId, uploaderId: null })),
      ...unsortedUploaders.map((uploaderId) => access.may(user, 'write', { patientId: null, uploaderId })),
    ];
    return { someRecord: rights.length === 0 || rights.includes(true), allRecords: !rights.includes(false) };
  };
  const rights = {
    viewer,
    seesUnused,
    sees: (user: UserCaller, kind: NameKind, id: number): boolean =>
      exists(kind, id) &&
      (references.isSeen(kind, id, viewer(user)) || (seesUnused(user) && !references.isUsed(kind, id))),
    /** @throws `name.not_found` */
    requireSeen(user: UserCaller, kind: NameKind, id: number): void {
      if (!rights.sees(user, kind, id)) throw fail('name.not_found');
    },
    mayChange: (user: UserCaller, kind: NameKind, id: number): boolean =>
      user.role !== 'viewer' && mayWrite(user, kind, id).someRecord,
    /** @throws `name.not_found`, `auth.read_only` */
    requireChange(user: UserCaller, kind: NameKind, id: number): void {
      rights.requireSeen(user, kind, id);
      if (!mayWrite(user, kind, id).someRecord) throw fail('auth.read_only');
    },
    /** @throws `name.not_found`, `auth.read_only` */
    requireRemove(user: UserCaller, kind: NameKind, id: number): void {
      rights.requireSeen(user, kind, id);
      if (!mayWrite(user, kind, id).allRecords) throw fail('auth.read_only');
    },
  };
  return rights;
}
