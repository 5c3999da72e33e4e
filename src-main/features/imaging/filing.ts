import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database } from '../../platform/database/connection.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { safeFileName, splitExtension } from '../../platform/vault/file-name.ts';
import { studyYear } from '../../platform/vault/layout.ts';
import { slugOf } from '../../platform/vault/slug.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type {
  AdmitPaper,
  DicomFiling,
  Documents,
  FiledStudy,
  StagedBundleFile,
  StagedObject,
} from '../documents/service.ts';
import { freeFolder, ownerFolder } from './folders.ts';
import { createFilingRepository, type FilingRepository } from './filing-repository.ts';

export interface FilingDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  documents: Pick<Documents, 'waitingReports' | 'episodes' | 'rowEdits'>;
}
interface Deps extends FilingDeps {
  repository: FilingRepository;
  /** The studies of each disc that is being filed. */
  running: Set<Set<number>>;
}
type Destination = Parameters<DicomFiling['file']>[2];
/** Where objects belong, and what makes documents of their papers. */
interface Receiver {
  destination: Destination;
  admit: AdmitPaper;
}
/** The number of the next file of each series, within one transaction. */
type NextNumbers = Map<number, number>;

/**
 * Objects that are filed in one transaction, so that a crash leaves no part of most studies; more moves would hold up
 * everybody else.
 */
const SLICE_SIZE = 500;

export interface Filing extends DicomFiling {
  /** Whether more of the disc of this study is still to be filed. */
  isFiling(studyId: number): boolean;
  /** Whether this is so for any study of a patient. */
  isFilingFor(patientId: number): boolean;
}

/** Files DICOM objects by study and series. */
export function createFiling(dependencies: FilingDeps): Filing {
  const repository = createFilingRepository(dependencies.db);
  const deps: Deps = { ...dependencies, repository, running: new Set() };
  const inFiling = (): number[] => [...deps.running].flatMap((studies) => [...studies]);
  return {
    file: (objects, disc, destination, admit) => fileDisc(deps, objects, disc, { destination, admit }),
    isFiling: (studyId) => inFiling().includes(studyId),
    isFilingFor: (patientId) => inFiling().some((studyId) => repository.patientOfStudy(studyId) === patientId),
  };
}

/** Files the objects and the other files of a disc; until it has them all, its studies are known as being filed. */
async function fileDisc(
  deps: Deps,
  objects: readonly StagedObject[],
  disc: { name: string; files: readonly StagedBundleFile[] } | null,
  receiver: Receiver,
): Promise<FiledStudy[]> {
  const studies = new Set<number>();
  deps.running.add(studies);
  try {
    const filed = await fileObjects(deps, objects, receiver, studies);
    if (disc && disc.files.length > 0) deps.vault.transaction(() => fileBundle(deps, disc, filed));
    deps.documents.episodes.notifyChanged(filed.map(({ document_id }) => document_id));
    return filed;
  } finally {
    deps.running.delete(studies);
  }
}

/**
 * Files objects, study by study: each slice with its rows and moves is one transaction. An object that its study has
 * already is not stored again; one with the same UID and other bytes is stored beside the first.
 */
async function fileObjects(
  deps: Deps,
  objects: readonly StagedObject[],
  receiver: Receiver,
  studies: Set<number>,
): Promise<FiledStudy[]> {
  const filed: FiledStudy[] = [];
  for (const group of Map.groupBy(objects, ({ instance }) => instance.studyInstanceUid).values()) {
    let study: FiledStudy | null = null;
    for (let start = 0; start < group.length; start += SLICE_SIZE) {
      const slice = group.slice(start, start + SLICE_SIZE);
      const before: FiledStudy | null = study;
      study = deps.vault.transaction(() => fileSlice(deps, slice, before, receiver));
      studies.add(study.study_id);
      await yieldToEventLoop();
    }
    if (study) filed.push(study);
  }
  return filed;
}

function fileSlice(
  deps: Deps,
  objects: readonly StagedObject[],
  before: FiledStudy | null,
  { destination, admit }: Receiver,
): FiledStudy {
  const { repository } = deps;
  const first = objects[0]!.instance;
  const known = before ?? repository.ofOwner(first.studyInstanceUid, destination);
  // A report may have taken the place of the document that waited for it.
  if (before) before.document_id = repository.documentOf(before.study_id);
  const study: FiledStudy = before ?? {
    ...(known ?? insertStudy(deps, first, destination)),
    is_new: known === undefined,
    images: 0,
    objects: 0,
    reports: 0,
    stored: [],
    duplicates: 0,
    conflicts: 0,
  };
  const numbers: NextNumbers = new Map();
  for (const object of objects) fileObject(deps, study, object, { admit, numbers });
  repository.recount(study.study_id);
  // The search finds a study by what its series are.
  deps.documents.rowEdits.reindexDocument(study.document_id);
  return study;
}

function insertStudy(
  deps: Deps,
  { study, series, patient, studyInstanceUid }: StagedObject['instance'],
  destination: Destination,
): { study_id: number; document_id: number } {
  const { db, clock, repository, documents } = deps;
  const { documentId, doctorId, facilityId } = documents.waitingReports.insertFromHeader({
    ...destination,
    modality: series.modality,
    bodyPart: series.bodyPart,
    date: study.date,
    key: studyInstanceUid,
    doctor: study.referringPhysician,
    facility: study.institution,
    patient,
  });
  const owner = ownerFolder(db, documentId);
  const day = study.date?.replaceAll('-', '') ?? '00000000';
  const what = slugOf([series.modality, series.bodyPart].filter(Boolean).join(' '), 'imaging');
  const where = study.institution === null ? '' : `${slugOf(study.institution, 'facility')}_`;
  const folder = freeFolder(deps, `${studyYear(owner, study.date)}/${day}_${where}${what}`);
  const id = repository.insertStudy({
    document_id: documentId,
    patient_id: repository.patientOf(documentId),
    modality: series.modality,
    body_part: series.bodyPart,
    study_description: study.description,
    accession_number: study.accessionNumber,
    study_instance_uid: studyInstanceUid,
    study_date: study.date,
    folder_path: folder,
    doctor_id: doctorId,
    facility_id: facilityId,
    created_at: toTimestamp(clock.now()),
  });
  return { study_id: id, document_id: documentId };
}

/** Part of the caller's transaction. */
function fileObject(
  deps: Deps,
  study: FiledStudy,
  object: StagedObject,
  { admit, numbers }: { admit: AdmitPaper; numbers: NextNumbers },
): void {
  const { repository, vault } = deps;
  const { file, instance, paper, dose } = object;
  const copies = repository.copiesOf(study.study_id, instance.sopInstanceUid);
  if (copies.includes(file.hash)) {
    study.duplicates += 1;
    return;
  }
  const series = repository.series(study.study_id, instance.seriesInstanceUid) ?? insertSeries(deps, study, instance);
  // The database looks at all files of the series for the first one.
  const number = numbers.get(series.id) ?? repository.nextNumber(series.id);
  numbers.set(series.id, number + 1);
  const name = `${String(number).padStart(5, '0')}.dcm`;
  const frames = instance.kind === 'image' ? instance.frames : 0;
  const id = repository.insertInstance({
    series_id: series.id,
    sop_instance_uid: instance.sopInstanceUid,
    sop_class_uid: instance.sopClassUid,
    transfer_syntax_uid: instance.transferSyntaxUid,
    kind: instance.kind,
    file_name: name,
    file_size: file.size,
    file_hash: file.hash,
    instance_number: instance.instanceNumber,
    position: instance.position,
    frames,
    rows: instance.rows,
    columns: instance.columns,
    window_center: instance.windowCenter,
    window_width: instance.windowWidth,
  });
  vault.journal.planMove(file.path, `${series.folder_path}/${name}`);
  if (dose) repository.insertDose(id, dose);
  if (paper && admit(paper, { documentId: study.document_id, patientId: repository.patientOf(study.document_id) })) {
    study.stored.push(paper.file.path);
    study.reports += 1;
  }
  if (copies.length > 0) study.conflicts += 1;
  study.stored.push(file.path);
  study.objects += 1;
  study.images += frames;
}

function insertSeries(
  { repository }: Deps,
  { study_id }: FiledStudy,
  { series, seriesInstanceUid }: StagedObject['instance'],
): { id: number; folder_path: string } {
  const taken = new Set(repository.seriesFolders(study_id));
  const study = repository.studyFolder(study_id);
  const number = series.number !== null && series.number > 0 && series.number < 100_000 ? series.number : 1;
  let folder = '';
  for (let n = number; folder === '' || taken.has(folder); n += 1)
    folder = `${study}/series-${String(n).padStart(3, '0')}`;
  const id = repository.insertSeries({
    study_id,
    series_number: series.number,
    series_description: series.description,
    modality: series.modality,
    series_instance_uid: seriesInstanceUid,
    folder_path: folder,
  });
  return { id, folder_path: folder };
}

/** Stores the other files of a disc once, for those of its studies that have none yet. */
function fileBundle(
  deps: Deps,
  { name, files }: { name: string; files: readonly StagedBundleFile[] },
  filed: readonly FiledStudy[],
): void {
  const { db, vault, repository } = deps;
  const studies = filed.filter(({ study_id }) => repository.bundleOf(study_id) === null);
  const [first] = studies;
  if (!first) return;
  const exam = slugOf(repository.accessionOf(first.study_id) ?? name, 'disc');
  const bundle = freeFolder(deps, `${ownerFolder(db, first.document_id)}/imaging-bundles/exam-${exam}`);
  const taken = new Set<string>();
  for (const { file, name: member, kind } of files) {
    const path = bundleName(member, taken);
    vault.journal.planMove(file.path, `${bundle}/${path}`);
    for (const { study_id } of studies)
      repository.insertBundleFile({ study_id, name: path, kind, file_size: file.size, file_hash: file.hash });
    first.stored.push(file.path);
  }
  for (const { study_id } of studies) repository.setBundle(study_id, bundle);
}

/** The last folder and the name of a member, both safe, with a number if another member is called so. */
function bundleName(member: string, taken: Set<string>): string {
  const parts = member.split(/[/\\]/).filter((part) => part !== '');
  const name = safeFileName(parts.at(-1) ?? 'file');
  const folder = parts.length > 1 ? `${safeFileName(parts.at(-2) ?? '', 'folder')}/` : '';
  const [stem, extension] = splitExtension(name);
  for (let n = 1; ; n += 1) {
    const path = `${folder}${n === 1 ? name : `${stem}-${n}${extension}`}`;
    if (taken.has(path.toLowerCase())) continue;
    taken.add(path.toLowerCase());
    return path;
  }
}
