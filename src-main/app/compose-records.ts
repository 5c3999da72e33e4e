import { createAuth } from '../features/auth/service.ts';
import { createLinks } from '../features/document-links/service.ts';
import { createDocumentRows } from '../features/document-rows/service.ts';
import { createDocuments, type Documents } from '../features/documents/service.ts';
import { createEvents } from '../features/events/service.ts';
import { createLabs } from '../features/labs/service.ts';
import { createNameService } from '../features/names/service.ts';
import { createPatients } from '../features/patients/service.ts';
import { createReview } from '../features/review/service.ts';
import { createTimeline } from '../features/timeline/service.ts';
import { createTodayRepository } from '../features/today/repository.ts';
import { createToday } from '../features/today/service.ts';
import { createTrashRepository } from '../features/trash/repository.ts';
import { createTrashService } from '../features/trash/service.ts';
import { createUsers } from '../features/users/service.ts';
import { createVaultBackups } from '../features/vault-backups/service.ts';
import { createVaultChecks } from '../features/vault-files/check.ts';
import { createVaultFiles } from '../features/vault-files/service.ts';
import { createSynonyms } from '../reading/knowledge/synonyms.ts';
import type { ReadingParts } from './compose-reading.ts';
import type { Platform } from './open-platform.ts';

export type RecordParts = ReturnType<typeof composeRecords>;

/** Composes the features that store, edit and list a household's records. */
export function composeRecords(platform: Platform, parts: ReadingParts) {
  const { db, vault, clock, access, announce, catchUp, events: bus, audit, config, settings } = platform;
  const { names, knowledge, language } = parts;
  const testNames = (code: string) => knowledge.byCanonicalCode('lab_tests', code)?.names ?? null;
  const documents = createDocuments({
    ...platform,
    names,
    testNames,
    pages: parts.reading,
    queue: parts.pipeline,
    synonyms: createSynonyms(),
  });
  const patients = createPatients({ db, vault, clock, events: bus });
  const auth = createAuth({ db, clock, audit, patients, sessionTtlHours: () => config['auth.session_ttl_hours'] });
  const events = createEvents({ db, vault, clock, access, names, documents, announce });
  const labs = createLabs({
    db,
    vault,
    clock,
    access,
    documents,
    knowledge,
    testNames,
    knowsTest: (user, id) => names.knows(user, 'lab_tests', id),
    testOf: (home, name, sample, unit) => names.resolve(home, 'lab_tests', name, { auto: false, sample, unit }),
  });
  const nameDeps = { db, vault, clock, access, knowledge, language, catchUp, documents, announce };
  const nameService = createNameService(nameDeps);
  const trash = createTrashService({ vault, access, repository: createTrashRepository(db), events: bus });
  settings.onChange((changed) => {
    if (changed.includes('canonical_language')) nameService.reseed();
  });
  return {
    documents,
    patients,
    auth,
    users: createUsers({ db, clock, auth, events: bus }),
    today: createToday({ access, clock, documents: documents.queries, repository: createTodayRepository(db) }),
    review: createReview({ vault, access, audit, documents, patients }),
    events,
    links: createLinks({ db, clock, access, documents }),
    documentRows: createDocumentRows({ db, vault, clock, names, documents }),
    labs,
    timeline: createTimeline({ db, access, namings: documents.namings }),
    nameService,
    trash,
    ...composeVault(platform, documents),
  };
}

/** Composes the features for the files of the vault: the file browser, integrity checks and backups. */
function composeVault(platform: Platform, documents: Documents) {
  const { db, vault, root, clock, ids, log, access, audit, files, secrets, announce, restart } = platform;
  return {
    vaultFiles: createVaultFiles({ db, vault, clock, access, announce, documents: documents.vaultFiles }),
    checks: createVaultChecks({ db, root, clock, log: log.child('check'), access, audit, files, announce }),
    backups: createVaultBackups({
      db,
      audit,
      root,
      clock,
      log: log.child('backups'),
      ids,
      files,
      secrets,
      announce,
      restart,
    }),
  };
}

/** Subscribes features to events of other features. Listeners of an event run in this order. */
export function connectEvents(
  { events: bus }: Platform,
  { documents, events, nameService }: Pick<RecordParts, 'documents' | 'events' | 'nameService'>,
): void {
  bus.on('nameRenamed', ({ kind, id }) => nameService.reindexRenamed(kind, id));
  bus.on('nameRestored', (name) => nameService.reindexRestored(name));
  bus.on('patientRenamed', ({ patientId }) => documents.reindexPatient(patientId));
  bus.on('patientIdentified', () => void documents.decisions.rematch());
  bus.on('accessGranted', () => void documents.decisions.rematch());
  bus.on('patientDeleted', ({ patientId }) => documents.stopReading(patientId));
  bus.on('documentsRestored', ({ documentIds, touchedIds, eventId }) =>
    documents.finishRestore(documentIds, touchedIds, eventId),
  );
  bus.on('eventRestored', ({ eventId }) => events.finishRestore(eventId));
  bus.on('contentPurged', ({ hashes }) => hashes.forEach(documents.forgetContent));
}
