import type { Readable } from 'node:stream';
import type { Reply } from '../../../../src-shared/contract/endpoint.ts';
import type { documents as contract } from '../../../../src-shared/contract/documents.ts';
import { Failure } from '../../../platform/kernel/errors.ts';
import type { ReceivedFile } from '../../../platform/vault/vault.ts';
import type { DicomInstance } from '../../../reading/dicom/instance.ts';
import { archiveLimits, peek, type ArchiveDeps, type ReadMembers } from './archive-upload.ts';
import { readArchive, type Member } from './archive.ts';
import { FIRST_BYTES, isDirectory, MORE_BYTES, readFirstBytes, readHeader } from './dicom-header.ts';
import { counted } from './dicom-upload.ts';
import { detectKind, HEAD_BYTES } from './file-type.ts';

type Inspection = Reply<typeof contract.inspect>;
type Study = Inspection['studies'][number];

/** Studies that are listed; all are counted. */
const MAX_STUDIES = 200;

/** What was found so far. */
interface Found {
  studies: Map<string, Study>;
  images: number;
  reports: number;
  pictures: number;
  others: number;
  unreadable: number;
}

/**
 * What a file would bring into the vault: nothing is stored, and of an archive only the beginning of each member is
 * unpacked.
 */
export async function inspectFile(
  deps: Pick<ArchiveDeps, 'vault' | 'intake' | 'config'>,
  receive: () => Promise<ReceivedFile & { filename: string }>,
): Promise<Inspection> {
  const { vault, intake, config } = deps;
  const file = await receive();
  const found = nothing();
  try {
    const path = vault.resolve(file.path);
    const { kind } = await intake.identify(file.path, file.size, file.filename);
    if (kind === 'dicom') addObject(found, await readHeader(path, file.size));
    else if (kind === 'zip')
      await readArchive(path, archiveLimits(config), async (member) => {
        await addMember(found, member);
        return true;
      });
    else if (kind === 'pdf') found.reports += 1;
    else found.pictures += 1;
  } finally {
    vault.discard(file.path);
  }
  return replyOf(found);
}

/** What the members of a disc would bring into the vault, in words; null without any DICOM object. */
export async function describeMembers(read: ReadMembers): Promise<string | null> {
  const found = nothing();
  await read(async (member) => {
    await addMember(found, member);
    return true;
  });
  const { studies, images, reports } = found;
  if (studies.size === 0) return null;
  return [
    counted(studies.size, 'study', 'studies'),
    counted(images, 'image', 'images'),
    ...(reports > 0 ? [counted(reports, 'report', 'reports')] : []),
  ].join(', ');
}

const nothing = (): Found => ({ studies: new Map(), images: 0, reports: 0, pictures: 0, others: 0, unreadable: 0 });

/** Pictures beside DICOM objects are previews; without any, they become documents. */
function replyOf({ studies, pictures, others, ...counts }: Found): Inspection {
  const isDisc = studies.size > 0;
  return {
    ...counts,
    studies: [...studies.values()].slice(0, MAX_STUDIES),
    study_count: studies.size,
    pictures: isDisc ? 0 : pictures,
    others: isDisc ? others + pictures : others,
  };
}

async function addMember(found: Found, { open }: Member): Promise<void> {
  let content: Readable | null = null;
  try {
    const first = await peek(await open(), HEAD_BYTES);
    ({ content } = first);
    const kind = (await detectKind(first.head))?.kind;
    if (kind === 'dicom') addObject(found, await readBeginning(content));
    else if (kind === 'pdf') found.reports += 1;
    else if (kind === 'image') found.pictures += 1;
    else found.others += 1;
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    found.unreadable += 1;
  } finally {
    content?.destroy();
  }
}

/** Reads the header of an object; what is behind it is not unpacked. @throws `upload.damaged` */
async function readBeginning(content: Readable): Promise<DicomInstance> {
  const { head, content: whole } = await peek(content, FIRST_BYTES);
  try {
    const first = readFirstBytes(head);
    if (first.isComplete || head.length < FIRST_BYTES) return first;
  } catch (error) {
    if (head.length < FIRST_BYTES) throw error;
  }
  return readFirstBytes((await peek(whole, MORE_BYTES)).head);
}

function addObject(found: Found, instance: DicomInstance): void {
  if (isDirectory(instance)) {
    found.others += 1;
    return;
  }
  const { kind, studyInstanceUid, study, series, patient, frames } = instance;
  const known = found.studies.get(studyInstanceUid) ?? {
    study_date: study.date,
    modality: series.modality,
    body_part: series.bodyPart,
    study_description: study.description,
    patient_name: patient.name,
    images: 0,
    objects: 0,
  };
  const images = kind === 'image' ? frames : 0;
  found.studies.set(studyInstanceUid, { ...known, images: known.images + images, objects: known.objects + 1 });
  found.images += images;
  if (kind === 'report' || kind === 'encapsulated_pdf') found.reports += 1;
}
