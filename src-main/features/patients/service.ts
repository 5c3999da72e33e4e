import type { z } from 'zod';
import type { patient } from '../../../src-shared/contract/patients.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import type { EventBus } from '../../platform/kernel/events.ts';
import { slugOf } from '../../platform/vault/slug.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { createPatientRepository, type PatientFields } from './repository.ts';

type WirePatient = z.input<typeof patient>;

export interface PatientService {
  list(user: UserCaller): WirePatient[];
  get(id: number, user: UserCaller): WirePatient & { document_count: number };
  /** The creator becomes owner. Joins a running transaction. */
  create(fields: PatientFields, user: UserCaller): WirePatient;
  update(id: number, fields: Partial<PatientFields>, user: UserCaller): WirePatient & { document_count: number };
  /** For local programs, without an access check. */
  bySlug(slug: string): { id: number } | undefined;
  slugs(): string[];
  /** Moves the patient with all documents to the trash. */
  remove(id: number, user: UserCaller): { ok: true; trash_id: number; undo_until: string };
}

export interface PatientDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  events: EventBus;
}

export function createPatients({ db, vault, clock, events }: PatientDeps): PatientService {
  const repository = createPatientRepository(db);

  /** `elena-keller`, then `elena-keller-2`: never the folder of another patient or the inbox of a user. */
  function freeSlug(name: string): string {
    const base = slugOf(name, 'patient');
    const usedSlugs = new Set(repository.slugsLike(base));
    for (let n = /^user-\d+$/.test(base) ? 2 : 1; ; n += 1) {
      const slug = n === 1 ? base : `${base.slice(0, 56)}-${n}`;
      if (!usedSlugs.has(slug) && !repository.bySlug(slug)) return slug;
    }
  }
  const withCount = (id: number, user: UserCaller) => {
    const row = repository.get(id, user.userId);
    if (!row) throw fail('patient.not_found');
    return { ...row, document_count: repository.documentCount(id) };
  };

  return {
    list: (user) => repository.listFor(user.userId),
    get: withCount,
    bySlug: (slug) => repository.bySlug(slug),
    slugs: () => repository.all().map((patient) => patient.slug),
    create: (fields, user) =>
      db.transaction(() => {
        const id = repository.insert(fields, freeSlug(fields.display_name), toTimestamp(clock.now()));
        repository.grant(user.userId, id, 'owner');
        return withCount(id, user);
      }),
    update: (id, fields, user) =>
      db.transaction(() => {
        if (Object.keys(fields).length) repository.update(id, fields);
        if (fields.display_name !== undefined) void events.emit('patientRenamed', { patientId: id });
        return withCount(id, user);
      }),
    remove(id, user) {
      const trashId = vault.transaction(() => {
        const label = withCount(id, user).display_name;
        void events.emit('patientDeleted', { patientId: id });
        return vault.trash.addRows('patient', id, { label, patientId: id, deletedByUserId: user.userId });
      });
      return { ok: true, trash_id: trashId, undo_until: undoUntil(toTimestamp(clock.now())) };
    },
  };
}
