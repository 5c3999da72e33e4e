import type { AccessRules } from './access.ts';
import type { UserCaller } from '../kernel/caller.ts';
import { fail } from '../kernel/errors.ts';
import type { FiledDocument, VaultRepository } from '../vault/repository.ts';
import { scopeOf } from '../vault/scope.ts';

/** The owner of an entry, as the access rules express it. */
export interface Belonging {
  patientId: number | null;
  uploaderId: number | null;
}

/** Whose a document is: its patient, and who uploaded it. */
export const belongingOfDocument = (row: Pick<FiledDocument, 'patient_id' | 'uploaded_by_user_id'>): Belonging => ({
  patientId: row.patient_id,
  uploaderId: row.uploaded_by_user_id,
});

/** Checks what one caller may do with paths of the vault. Results are cached: create one per call. */
export function createRights(
  { access, repository }: { access: AccessRules; repository: VaultRepository },
  user: UserCaller,
) {
  const cache = new Map<string, boolean>();
  const may = (need: 'read' | 'write', { patientId, uploaderId }: Belonging): boolean => {
    const key = `${need} ${patientId} ${patientId === null ? uploaderId : ''}`;
    const before = cache.get(key);
    if (before !== undefined) return before;
    const answer = access.may(user, need, { patientId, uploaderId });
    cache.set(key, answer);
    return answer;
  };
  const patients = new Map<string, number | null>();
  function patientAt(slug: string): number | null {
    const before = patients.get(slug);
    if (before !== undefined) return before;
    const id = repository.patientBySlug(slug) ?? null;
    patients.set(slug, id);
    return id;
  }
  /** For a folder and files in it without a row. Files of a deleted patient belong to administrators. */
  function belongingOfPlace(path: string): Belonging {
    const scope = scopeOf(path);
    if (scope && 'patientSlug' in scope) return { patientId: patientAt(scope.patientSlug), uploaderId: null };
    return { patientId: null, uploaderId: scope?.userId ?? null };
  }
  return {
    may,
    belongingOfPlace,
    mayPlace: (need: 'read' | 'write', path: string): boolean => may(need, belongingOfPlace(path)),
    /** Throws `auth.forbidden` without read access, `auth.read_only` without write access. */
    requireWrite(belonging: Belonging): void {
      if (!may('read', belonging)) throw fail('auth.forbidden');
      if (!may('write', belonging)) throw fail('auth.read_only');
    },
  };
}
export type Rights = ReturnType<typeof createRights>;
