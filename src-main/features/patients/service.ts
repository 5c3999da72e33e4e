import type { z } from 'zod';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { patient, patients as contract } from '../../../src-shared/contract/patients.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import type { EventBus } from '../../platform/kernel/events.ts';
import { slugOf } from '../../platform/vault/slug.ts';
import { undoUntil } from '../../platform/vault/trash.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import { createPatientRepository, type PatientFields, type PatientRepository } from './repository.ts';

type WirePatient = z.input<typeof patient>;
type CountedPatient = WirePatient & { document_count: number };

/** Leaves room for `-2` within the longest slug. */
const MAX_SLUG_STEM = 56;

export interface PatientService {
  list(user: UserCaller): WirePatient[];
  get(id: number, user: UserCaller): CountedPatient;
  /** The creator becomes owner. Joins a running transaction. */
  create(fields: PatientFields, user: UserCaller): WirePatient;
  update(id: number, fields: Partial<PatientFields>, user: UserCaller): CountedPatient;
  /** For local programs, without an access check. */
  bySlug(slug: string): { id: number } | undefined;
  slugs(): string[];
  /** Moves the patient with all documents to the trash. */
  remove(id: number, user: UserCaller): Reply<typeof contract.remove>;
}

export interface PatientDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  events: EventBus;
}

interface Deps extends PatientDeps {
  repository: PatientRepository;
}

/** The patients of the household. */
export function createPatients(dependencies: PatientDeps): PatientService {
  const repository = createPatientRepository(dependencies.db);
  const deps: Deps = { ...dependencies, repository };
  return {
    list: (user) => repository.listFor(user.userId),
    bySlug: (slug) => repository.bySlug(slug),
    slugs: () => repository.all().map((patient) => patient.slug),
    ...bindFirst(deps, { get: getPatient, create: createPatient, update: updatePatient, remove: removePatient }),
  };
}

/** @throws `patient.not_found` */
function getPatient({ repository }: Deps, id: number, user: UserCaller): CountedPatient {
  const row = orNotFound(repository.get(id, user.userId), 'patient.not_found');
  return { ...row, document_count: repository.documentCount(id) };
}

const createPatient = (deps: Deps, fields: PatientFields, user: UserCaller): CountedPatient =>
  deps.vault.transaction(() => {
    const { repository, clock, events } = deps;
    const id = repository.insert(fields, freeSlug(repository, fields.display_name), toTimestamp(clock.now()));
    repository.grant(user.userId, id, 'owner');
    void events.emit('patientIdentified', { patientId: id });
    return getPatient(deps, id, user);
  });

const updatePatient = (deps: Deps, id: number, fields: Partial<PatientFields>, user: UserCaller): CountedPatient =>
  deps.vault.transaction(() => {
    if (Object.keys(fields).length) deps.repository.update(id, fields);
    if (fields.display_name !== undefined || fields.date_of_birth !== undefined)
      void deps.events.emit('patientIdentified', { patientId: id });
    if (fields.display_name !== undefined) void deps.events.emit('patientRenamed', { patientId: id });
    return getPatient(deps, id, user);
  });

function removePatient(deps: Deps, id: number, user: UserCaller): ReturnType<PatientService['remove']> {
  const { vault, clock, events } = deps;
  const trashId = vault.transaction(() => {
    const label = getPatient(deps, id, user).display_name;
    void events.emit('patientDeleted', { patientId: id });
    return vault.trash.addRows('patient', id, { label, patientId: id, deletedByUserId: user.userId });
  });
  const undo_until = undoUntil(toTimestamp(clock.now()));
  return { ok: true, status: 'deleted', patient_id: id, trash_id: trashId, undo_until };
}

/** `elena-keller`, then `elena-keller-2`; avoids the folders of other patients and the inboxes of users. */
function freeSlug(repository: PatientRepository, name: string): string {
  const base = slugOf(name, 'patient');
  const usedSlugs = new Set(repository.slugsLike(base));
  for (let n = /^user-\d+$/.test(base) ? 2 : 1; ; n += 1) {
    const slug = n === 1 ? base : `${base.slice(0, MAX_SLUG_STEM)}-${n}`;
    if (!usedSlugs.has(slug) && !repository.bySlug(slug)) return slug;
  }
}
