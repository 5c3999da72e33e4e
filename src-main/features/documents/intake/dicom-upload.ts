import { fail } from '../../../platform/kernel/errors.ts';
import type { ReceivedFile } from '../../../platform/vault/vault.ts';
import type { DicomFiling, FiledStudy } from '../ports.ts';
import { isDirectory, readHeader } from './dicom-header.ts';
import { madeFor, paperAdmission, stageObject, type PaperDeps } from './dicom-papers.ts';
import type { Destination, IntakeResult, SenderRights } from './intake.ts';

/** What the sender of DICOM objects learns of each study. */
export interface StudyOutcome {
  study_id: number;
  document_id: number;
  status: 'new' | 'extended' | 'known';
  objects: number;
  images: number;
  duplicates: number;
  conflicts: number;
}

/** Files one DICOM object. @throws `upload.damaged`, `upload.dicom_directory` */
export async function fileObject(
  deps: PaperDeps & { dicom: DicomFiling },
  file: ReceivedFile,
  destination: Destination,
  rights: SenderRights,
): Promise<{ studies: FiledStudy[]; documents: IntakeResult[]; message: string }> {
  const { vault, dicom } = deps;
  const instance = await readHeader(vault.resolve(file.path), file.size);
  if (isDirectory(instance)) throw fail('upload.dicom_directory');
  const object = await stageObject(deps, file, instance);
  try {
    const { admit, admitted } = paperAdmission(deps, destination, rights);
    const disc = object.enclosed && { name: 'documents', files: [object.enclosed] };
    const studies = await dicom.file([object], disc, destination, admit);
    return { studies, documents: admitted, message: describe(studies) };
  } finally {
    for (const { path } of madeFor(object)) vault.discard(path);
  }
}

/** The outcome of a filed study, without paths. */
export function outcomeOf({ stored: _stored, is_new, reports: _reports, ...study }: FiledStudy): StudyOutcome {
  const changed = study.objects > 0 ? ('extended' as const) : ('known' as const);
  return { ...study, status: is_new ? 'new' : changed };
}

/** `1 image`, `2 images`. */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** `2 studies, 412 new images, 1 report. 3 objects were in the vault already.` */
export function describe(studies: readonly FiledStudy[]): string {
  const sum = (of: 'images' | 'reports' | 'duplicates' | 'conflicts'): number =>
    studies.reduce((total, study) => total + study[of], 0);
  const [reports, duplicates, conflicts] = [sum('reports'), sum('duplicates'), sum('conflicts')];
  const found = [
    counted(studies.length, 'study', 'studies'),
    counted(sum('images'), 'new image', 'new images'),
    ...(reports > 0 ? [counted(reports, 'report', 'reports')] : []),
  ];
  return [
    `${found.join(', ')}.`,
    ...(duplicates > 0 ? [`${counted(duplicates, 'object was', 'objects were')} in the vault already.`] : []),
    ...(conflicts > 0
      ? [`${counted(conflicts, 'object differs', 'objects differ')} from another one of the same UID; both are kept.`]
      : []),
  ].join(' ');
}
