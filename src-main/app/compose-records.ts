import { createArchiveImports } from '../features/archive-imports/service.ts';
import { createAssistants } from '../features/assistants/service.ts';
import { createAsk, createMeaning } from '../features/ask/service.ts';
import { createAuth } from '../features/auth/service.ts';
import { createLinks } from '../features/document-links/service.ts';
import { createDocumentRows } from '../features/document-rows/service.ts';
import { createDocuments, type Documents, type SharesOfTranslations } from '../features/documents/service.ts';
import { createEvents } from '../features/events/service.ts';
import { createViewerAccess } from '../features/imaging/dicom-web/access.ts';
import { createDicomWeb } from '../features/imaging/dicom-web/service.ts';
import { createImaging } from '../features/imaging/service.ts';
import { createLabs } from '../features/labs/service.ts';
import { createNameService } from '../features/names/service.ts';
import { createPatients } from '../features/patients/service.ts';
import { createReview } from '../features/review/service.ts';
import { createSuggestions } from '../features/suggestions/service.ts';
import { createTickerNetwork } from '../features/tickers/service.ts';
import { createTimeline } from '../features/timeline/service.ts';
import { createTodayRepository } from '../features/today/repository.ts';
import { createToday } from '../features/today/service.ts';
import { createTrashRepository } from '../features/trash/repository.ts';
import { createTrashService } from '../features/trash/service.ts';
import { createUsers } from '../features/users/service.ts';
import { createVaultBackups } from '../features/vault-backups/service.ts';
import { createVaultChecks } from '../features/vault-files/check.ts';
import { createVaultFiles } from '../features/vault-files/service.ts';
import { createVaults } from '../features/vaults/service.ts';
import { configFolder } from '../platform/config/load.ts';
import { civilDay } from '../../src-shared/ios-backup/artifacts/time-zone.ts';
import { isFinishedName } from '../reading/pipeline/watch.ts';
import { createSynonyms } from '../reading/knowledge/synonyms.ts';
import { assistantProgram } from './assistant-program.ts';
import type { ReadingParts } from './compose-reading.ts';
import { composeTickerSource } from './ticker-source.ts';
import type { Platform } from './open-platform.ts';

export type RecordParts = ReturnType<typeof composeRecords>;

/** Composes the features that store, edit and list a household's records. */
export function composeRecords(platform: Platform, parts: ReadingParts, shares: () => SharesOfTranslations) {
  const { db, root, vault, clock, access, announce, catchUp, events: bus, audit, config, settings } = platform;
  const { names, knowledge, language } = parts;
  const testNames = (code: string) => knowledge.byCanonicalCode('lab_tests', code)?.names ?? null;
  const synonyms = createSynonyms();
  const documents = createDocuments({
    ...platform,
    names,
    testNames,
    pages: parts.reading,
    queue: parts.pipeline,
    synonyms,
    dicom: { file: (...staged) => imaging.file(...staged) },
    readContents: parts.frames.readContents,
    wrapImage: parts.frames.wrapImage,
    hasTranslator: (id) => parts.providers.general.isAvailable(id),
    shares,
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
  const nameDeps = {
    db,
    vault,
    clock,
    access,
    knowledge,
    language,
    catchUp,
    documents,
    announce,
    model: parts.providers.general,
  };
  const nameService = createNameService(nameDeps);
  const trash = createTrashService({ vault, access, repository: createTrashRepository(db), events: bus });
  settings.onChange((changed) => {
    if (changed.includes('canonical_language')) nameService.reseed();
  });
  const links = createLinks({ db, clock, access, documents });
  const imaging = createImaging({
    ...{ db, vault, clock, access, links, documents },
    renderer: parts.frames,
  });
  const meaning = createMeaning({
    ...{ db, clock, log: platform.log.child('meaning'), embedder: parts.providers.embedder },
    loadPages: documents.store.loadPages,
  });
  settings.onChange(meaning.wake);
  const review = createReview({ vault, access, audit, documents, patients });
  return {
    documents,
    imaging,
    meaning,
    dicomWeb: createDicomWeb({ db, vault, clock, access, audit, renderer: parts.frames }),
    viewerAccess: createViewerAccess({ db, clock }),
    patients,
    auth,
    users: createUsers({ db, clock, auth, events: bus }),
    today: createToday({
      ...{ access, clock, documents: documents.queries, repository: createTodayRepository(db) },
      chosenForOthers: review.chosenForOthers,
    }),
    review,
    events,
    links,
    documentRows: createDocumentRows({ db, vault, clock, names, documents }),
    labs,
    ask: createAsk({
      ...{ db, clock, access, knowledge, synonyms, namings: documents.namings },
      model: parts.providers.general,
      prompt: parts.prompts.text,
      meaning,
    }),
    assistants: createAssistants({
      ...{ db, clock, access, program: assistantProgram(root) },
      nothingLeaves: () => config['privacy.nothing_leaves'],
    }),
    tickerSource: composeTickerSource(platform, (port) => parts.ownPorts.add(port)),
    tickers: createTickerNetwork({
      vault,
      nothingLeaves: () => config['privacy.nothing_leaves'],
      ...(config['ticker.firmware_folder'] !== '' && { firmwareFolder: config['ticker.firmware_folder'] }),
    }),
    suggestions: createSuggestions({ db, clock, model: parts.providers.general, prompt: parts.prompts.text }),
    timeline: createTimeline({ db, access, namings: documents.namings }),
    nameService,
    trash,
    archiveImports: createArchiveImports({
      ...{ db, root, clock, access, isFinishedName, log: platform.log.child('imports') },
      transaction: vault.transaction,
      documents: documents.imports,
      belonging: documents.belonging,
      addMeasurements: labs.measurements.add,
      removeMeasurements: labs.measurements.remove,
      dayOf: (instant) => civilDay(instant, null),
    }),
    ...composeVault(platform, documents),
  };
}

/** Composes the features for the files of the vault: the file browser, integrity checks and backups. */
function composeVault(platform: Platform, documents: Documents) {
  const { db, vault, root, clock, ids, log, access, audit, files, secrets, announce, restart } = platform;
  return {
    vaults: createVaults({
      ...{ root, clock, ids, log: log.child('vaults'), configFolder: configFolder() },
      readOnlySince: platform.readOnlySince,
      takenFrom: platform.claim.takenFrom?.host ?? null,
      vaultSwitch: platform.vaultSwitch,
    }),
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
  { documents, events, imaging, nameService }: Pick<RecordParts, 'documents' | 'events' | 'imaging' | 'nameService'>,
): void {
  bus.on('nameRenamed', ({ kind, id }) => nameService.reindexRenamed(kind, id));
  bus.on('nameRestored', (name) => nameService.reindexRestored(name));
  bus.on('patientRenamed', ({ patientId }) => documents.reindexPatient(patientId));
  bus.on('patientIdentified', () => void documents.decisions.rematch());
  bus.on('accessGranted', () => void documents.decisions.rematch());
  bus.on('patientDeleted', ({ patientId }) => imaging.requireFiled(patientId));
  bus.on('patientDeleted', ({ patientId }) => documents.stopReading(patientId));
  bus.on('documentsDeleted', ({ documentIds }) => imaging.keepStudiesOf(documentIds));
  bus.on('documentPlaced', ({ documentId }) => imaging.placeStudies(documentId));
  bus.on('documentsRestored', ({ documentIds }) => imaging.attachRestored(documentIds));
  bus.on('documentsRestored', ({ documentIds, touchedIds, eventId }) =>
    documents.finishRestore(documentIds, touchedIds, eventId),
  );
  bus.on('documentsRestored', ({ documentIds }) => imaging.uniteRestored(documentIds));
  bus.on('eventRestored', ({ eventId }) => events.finishRestore(eventId));
  bus.on('contentPurged', ({ hashes }) => hashes.forEach(documents.forgetContent));
}
