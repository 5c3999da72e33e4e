import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { slice } from '../fixtures/dicom/disc.ts';
import { CREATED_AT, type Scope } from './household-scope.ts';

export interface MadeStudy {
  study: number;
  /** Waits for the report. */
  document: number;
  series: number;
  /** The object with one frame. */
  firstObject: number;
  folder: string;
  bundle: string;
}

/** Imaging studies with their files. */
export function createStudyRecords(scope: Scope, document: () => number) {
  const put = (path: string, content: string | Buffer): { file_size: number; file_hash: string } => {
    const absolute = join(scope.vault, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, content);
    return { file_size: content.length, file_hash: createHash('sha256').update(content).digest('hex') };
  };
  const waiting = (n: number): number =>
    scope.insert('documents', {
      patient_id: scope.patient,
      file_path: '',
      original_filename: `CT ${scope.secret} 2025-06-0${(n % 9) + 1} (report pending)`,
      mime_type: 'application/dicom',
      doc_type: 'imaging_report',
      event_date: '2025-06-01',
      file_size: 0,
      file_hash: createHash('sha256').update(`study ${n}`).digest('hex'),
      ocr_engine: 'dicom',
      status: 'done',
      created_at: CREATED_AT,
      updated_at: CREATED_AT,
    });
  const studies = {
    /** A study with a measurement in its first frame. */
    studyMark(): { study: number; mark: number } {
      const { study, firstObject } = studies.study();
      const mark = scope.insert('imaging_marks', {
        instance_id: firstObject,
        frame: 0,
        kind: 'length',
        points: '[[0,0],[1,1]]',
        label: scope.secret,
        created_at: CREATED_AT,
        updated_at: CREATED_AT,
      });
      return { study, mark };
    },
    /** A token of an imaging viewer, of the account that calls with examples. */
    viewerAccess: (): number =>
      scope.insert('viewer_accesses', {
        user_id: scope.ids.keeper,
        name: 'OHIF',
        token_hash: createHash('sha256').update(`viewer ${scope.next()}`).digest('hex'),
        origins: '[]',
        created_at: CREATED_AT,
      }),
    /** A study with a document linked to it. */
    studyLink(): { study: number; link: number } {
      const { study, document: parent } = studies.study();
      const link = scope.insert('document_links', {
        source_document_id: parent,
        target_document_id: document(),
        link_type: 'imaging_for',
        created_at: CREATED_AT,
      });
      return { study, link };
    },
    /** A study of one series with a multi-frame object, a single image and a report object, and two bundle files. */
    study(values: Record<string, unknown> = {}): MadeStudy {
      const n = scope.next();
      const parent = waiting(n);
      const folder = `${scope.folderOf(scope.patient)}/2025/20250601_ct-chest-${n}`;
      const bundle = `${scope.folderOf(scope.patient)}/imaging-bundles/exam-${n}`;
      const study = scope.insert('imaging_studies', {
        document_id: parent,
        patient_id: scope.patient,
        modality: 'CT',
        body_part: 'CHEST',
        study_description: `${scope.secret} routine`,
        accession_number: `A${n}`,
        study_instance_uid: `1.2.3.${n}`,
        study_date: '2025-06-01',
        num_series: 1,
        num_images: 3,
        folder_path: folder,
        bundle_path: bundle,
        created_at: CREATED_AT,
        ...values,
      });
      const series = scope.insert('imaging_series', {
        study_id: study,
        series_number: 1,
        series_description: 'axial',
        modality: 'CT',
        num_images: 3,
        series_instance_uid: `1.2.3.${n}.1`,
        folder_path: `${folder}/series-001`,
      });
      const objects = [
        { file_name: '00001.dcm', kind: 'image', frames: 1, position: 20, instance_number: 1 },
        { file_name: '00002.dcm', kind: 'image', frames: 2, position: 10, instance_number: 2 },
        { file_name: '00003.dcm', kind: 'report', frames: 0, position: null, instance_number: 3 },
      ];
      const objectIds = objects.map((object, index) =>
        scope.insert('imaging_instances', {
          series_id: series,
          sop_instance_uid: `1.2.3.${n}.1.${index}`,
          sop_class_uid: '1.2.840.10008.5.1.4.1.1.2',
          transfer_syntax_uid: '1.2.840.10008.1.2.1',
          ...object,
          ...put(
            `${folder}/series-001/${object.file_name}`,
            slice({ study: `1.2.3.${n}`, instance: `1.2.3.${n}.1.${index}`, frames: Math.max(1, object.frames) }),
          ),
        }),
      );
      for (const [name, kind] of [
        ['DICOMDIR', 'dicom'],
        ['PREVIEW/view.exe', 'other'],
      ] as const)
        scope.insert('imaging_bundle_files', {
          study_id: study,
          name,
          kind,
          ...put(`${bundle}/${name}`, `${name} ${n}`),
        });
      return { study, document: parent, series, firstObject: objectIds[0]!, folder, bundle };
    },
  };
  return studies;
}
