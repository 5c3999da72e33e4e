import type { CoreLanguage } from '../../../src-shared/contract/core-languages.ts';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import type { imaging as contract, StudyChanges } from '../../../src-shared/contract/imaging.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { BytesReply } from '../../platform/http/bytes.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { orNotFound } from '../../platform/kernel/or-not-found.ts';
import { isVaultPath, lstatOrNull } from '../../platform/vault/paths.ts';
import type { FrameRenderer } from '../../reading/dicom/render.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { LinkService } from '../document-links/service.ts';
import type { Documents } from '../documents/service.ts';
import { createDoseRepository } from './dose-repository.ts';
import { listDoses } from './doses.ts';
import { exportStudies } from './export.ts';
import { createFileRepository, type FileRepository } from './file-repository.ts';
import { createFrameCache, type FrameCache } from './frame-cache.ts';
import { createFrameLines, type FrameLines } from './frame-lines.ts';
import {
  describeFrame,
  framedObjects,
  serveFrame,
  servePixels,
  serveThumbnail,
  windowOf,
  type Waiting,
} from './frames.ts';
import { createFiling, type Filing } from './filing.ts';
import { placeStudies } from './folders.ts';
import { attachDocument, attachRestored, attachUpload, detachReport, keepStudiesOf } from './reports.ts';
import { addMark, changeMark, listMarks, removeMark } from './marks.ts';
import { uniteRestored } from './unite.ts';
import { createStudyRepository, type StudyRecord, type StudyRepository } from './study-repository.ts';

export interface ImagingDeps {
  db: Database;
  vault: Vault;
  clock: Clock;
  access: AccessRules;
  renderer: Pick<FrameRenderer, 'renderFrame' | 'describeFrame' | 'exportObject' | 'readPixels'>;
  links: Pick<LinkService, 'list' | 'create' | 'remove'>;
  documents: Pick<
    Documents,
    'asReport' | 'uploadReport' | 'waitingReports' | 'belonging' | 'episodes' | 'eventsOf' | 'namings' | 'rowEdits'
  >;
}
interface Deps extends ImagingDeps {
  studies: StudyRepository;
  files: FileRepository;
  doses: ReturnType<typeof createDoseRepository>;
  cache: FrameCache;
  lines: FrameLines;
  filing: Filing;
}

/** A series of 300 pictures of 512 × 512 pixels. */
const MAX_CACHED_BYTES = 64 * 2 ** 20;

export type Imaging = ReturnType<typeof createImaging>;
type Report = { documentId: number } | { receive: Parameters<Documents['uploadReport']>[1] };

/** Imaging studies: lists, pictures, the other files of their discs, links and reports. */
export function createImaging(dependencies: ImagingDeps) {
  const { db } = dependencies;
  const deps: Deps = {
    ...dependencies,
    studies: createStudyRepository(db),
    files: createFileRepository(db),
    doses: createDoseRepository(db),
    cache: createFrameCache(MAX_CACHED_BYTES),
    lines: createFrameLines(),
    filing: createFiling(dependencies),
  };
  return {
    list: (query: ListQuery, user: UserCaller) => listStudies(deps, query, user),
    doses: (patientId: number) => listDoses(deps, patientId),
    get: (id: number) => getStudy(deps, id),
    exportStudies: (options: ExportOptions, reader: { caller: UserCaller; language: CoreLanguage }) =>
      exportStudies(deps, options, reader),
    frames: (id: number, seriesId: number) => listFrames(deps, id, seriesId),
    frame: (place: FramePlace, query: FrameQuery, waiting: Waiting) => serveFrame(deps, place, query, waiting),
    thumbnail: (id: number, waiting: Waiting) => serveThumbnail(deps, id, firstSeries(deps, id), waiting),
    seriesThumbnail: ({ id, series_id }: Input<typeof contract.seriesThumbnail>['params'], waiting: Waiting) =>
      serveThumbnail(deps, id, series_id, waiting),
    pixels: (place: FramePlace, waiting: Waiting) => servePixels(deps, place, waiting),
    marks: (id: number) => listMarks(deps, id),
    addMark: (id: number, body: MarkBody, user: UserCaller) => addMark(deps, id, body, user),
    changeMark: (id: number, markId: number, changes: MarkChanges) => changeMark(deps, id, markId, changes),
    removeMark: (id: number, markId: number) => removeMark(deps, id, markId),
    frameWindow: (place: FramePlace) => windowOf(deps, place),
    frameMetadata: (place: FramePlace, signal: AbortSignal) => describeFrame(deps, place, signal),
    bundleFiles: (id: number) => ({ items: deps.files.bundle(id) }),
    bundleFile: (id: number, name: string) => serveBundleFile(deps, id, name),
    links: (id: number, user: UserCaller) => listLinks(deps, id, user),
    link: (id: number, body: LinkBody, user: UserCaller) => linkDocument(deps, id, body, user),
    unlink: (id: number, linkId: number, user: UserCaller) => unlinkDocument(deps, id, linkId, user),
    attachReport: (id: number, report: Report, user: UserCaller) =>
      'receive' in report
        ? attachUpload(deps, requireStudy(deps, id), report.receive, user)
        : attachDocument(deps, requireStudy(deps, id), report.documentId, user),
    detachReport: (id: number) => detachReport(deps, requireStudy(deps, id)),
    file: deps.filing.file,
    update: (id: number, changes: StudyChanges) => updateStudy(deps, id, changes),
    /** Part of the transactions in which documents change. */
    keepStudiesOf: (documentIds: readonly number[]) => keepStudiesOf(deps, documentIds),
    /** @throws `imaging.being_filed` while a disc of the patient comes in */
    requireFiled(patientId: number): void {
      if (deps.filing.isFilingFor(patientId)) throw fail('imaging.being_filed');
    },
    attachRestored: (documentIds: readonly number[]) => attachRestored(deps, documentIds),
    uniteRestored: (documentIds: readonly number[]) => uniteRestored(deps, documentIds),
    placeStudies: (documentId: number) => placeStudies(deps, documentId),
  };
}

type FramePlace = Input<typeof contract.frame>['params'];
type FrameQuery = Input<typeof contract.frame>['query'];
type ExportOptions = Input<typeof contract.exportStudies>['query'];
type ListQuery = Input<typeof contract.list>['query'];
type MarkBody = Input<typeof contract.addMark>['body'];
type MarkChanges = Input<typeof contract.changeMark>['body'];
type LinkBody = Input<typeof contract.link>['body'];

const requireStudy = ({ studies }: Deps, id: number): StudyRecord => orNotFound(studies.get(id), 'imaging.not_found');

function listStudies(
  { access, studies }: Deps,
  { sort, order, limit, offset, ...filters }: ListQuery,
  user: UserCaller,
): ReplyInput<typeof contract.list> {
  const reader = {
    userId: user.userId,
    patientIds: access.visiblePatients(user.userId),
    isAdmin: user.role === 'admin',
  };
  return { ...studies.list(reader, filters, { sort, order, limit, offset }), limit, offset };
}

function getStudy({ studies, doses }: Deps, id: number): ReplyInput<typeof contract.get> {
  const row = orNotFound(studies.detail(id), 'imaging.not_found');
  return { ...row, dose: doses.ofStudy(id), series: studies.series(id), objects: studies.objects(id) } as ReplyInput<
    typeof contract.get
  >;
}

/** The series with the most pictures. @throws `imaging.frame_not_found` where none has any */
function firstSeries({ studies }: Deps, id: number): number {
  const [best] = studies.series(id).toSorted((a, b) => Number(b['num_images']) - Number(a['num_images']));
  if (!best || Number(best['num_images']) === 0) throw fail('imaging.frame_not_found');
  return best.id;
}

function listFrames(deps: Deps, id: number, seriesId: number): ReplyInput<typeof contract.frames> {
  const objects = framedObjects(deps, id, seriesId);
  const frames = objects.flatMap(({ name, frames }) =>
    frames === 1 ? [name] : Array.from({ length: frames }, (_, index) => `${name}#${index + 1}`),
  );
  // The position of an object with several frames is that of its first one.
  const positions = objects.flatMap(({ frames, position }) =>
    frames === 1 ? [position] : Array.from({ length: frames }, () => null),
  );
  return { frames, count: frames.length, positions };
}

/** Serves only files that are listed for this study. */
function serveBundleFile(deps: Deps, id: number, name: string): BytesReply {
  const { vault, files } = deps;
  const file = orNotFound(files.bundleFile(id, name), 'imaging.bundle_file_not_found');
  const path = `${requireStudy(deps, id).bundle_path}/${file.name}`;
  if (!isVaultPath(path) || !lstatOrNull(vault.resolve(path))?.isFile()) throw fail('document.file_missing');
  return {
    kind: 'file',
    path: vault.resolve(path),
    type: typeOf(file),
    etag: file.hash,
    filename: file.name.slice(file.name.lastIndexOf('/') + 1),
    disposition: 'inline',
  };
}

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
};

function typeOf({ kind, name }: { kind: string; name: string }): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  if (kind === 'image') return IMAGE_TYPES[extension] ?? 'image/jpeg';
  if (kind === 'pdf') return 'application/pdf';
  return kind === 'dicom' ? 'application/dicom' : 'application/octet-stream';
}

function listLinks(deps: Deps, id: number, user: UserCaller): ReplyInput<typeof contract.links> {
  const { document_id: parent } = requireStudy(deps, id);
  if (parent === null) return { items: [] };
  const naming = deps.documents.namings([parent]).get(parent);
  const own = naming ? [{ ...naming, id: parent, link_id: null, link_type: 'report' as const }] : [];
  const linked = deps.links.list(parent, user).items.map((link) => ({
    ...link,
    id: link.source_document_id === parent ? link.target_document_id : link.source_document_id,
  }));
  return { items: [...own, ...linked] };
}

function linkDocument(
  deps: Deps,
  id: number,
  { target_document_id, link_type }: LinkBody,
  user: UserCaller,
): ReplyInput<typeof contract.link> {
  const parent = orNotFound(requireStudy(deps, id).document_id, 'document.not_found');
  return { id: deps.links.create(parent, target_document_id, link_type, user).id, status: 'linked' };
}

function unlinkDocument(deps: Deps, id: number, linkId: number, user: UserCaller): { status: 'deleted' } {
  const parent = orNotFound(requireStudy(deps, id).document_id, 'link.not_found');
  deps.links.remove(parent, linkId, user);
  return { status: 'deleted' };
}

/** Corrects a study; each change is recorded at its document, as an example for later readings. */
function updateStudy(deps: Deps, id: number, changes: StudyChanges): ReplyInput<typeof contract.update> {
  const { db, studies, documents, clock } = deps;
  const study = requireStudy(deps, id);
  const changed = (Object.entries(changes) as [keyof StudyChanges, string | null | undefined][])
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => ({ field, value: value?.trim() || null }))
    .filter(({ field, value }) => value !== study[field]);
  if (changed.length === 0) return { status: 'noop', id, fields: [] };
  db.transaction(() => {
    for (const { field, value } of changed) {
      studies.update(id, { [field]: value });
      if (study.document_id !== null)
        studies.recordCorrection({
          document: study.document_id,
          field,
          before: study[field],
          after: value,
          now: toTimestamp(clock.now()),
        });
    }
    documents.rowEdits.reindexDocument(study.document_id);
  });
  documents.rowEdits.notifyChanged(study.document_id);
  return { status: 'updated', id, fields: changed.map(({ field }) => field) };
}
