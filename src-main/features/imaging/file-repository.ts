import type { BundleKind } from '../../../src-shared/contract/imaging.ts';
import { MAX_SERIES_FRAMES } from '../../../src-shared/contract/imaging-frames.ts';
import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { InstanceKind } from '../../reading/dicom/sop-classes.ts';

/** An object of a series with the numbers of its frames. */
export interface FramedObject {
  id: number;
  /** Vault path. */
  path: string;
  name: string;
  hash: string;
  transfer_syntax_uid: string;
  /** Index of its first frame among those of the series. */
  first: number;
  frames: number;
  window_center: number | null;
  window_width: number | null;
  /** Along the normal of its images, in mm. */
  position: number | null;
}

export interface BundleFile {
  name: string;
  kind: BundleKind;
  size: number;
  hash: string;
}

/** An object of a study with the UIDs under which it was filed. */
export interface ExportedObject {
  /** Vault path. */
  path: string;
  study: string;
  series: string;
  instance: string;
  sopClass: string;
  syntax: string;
  kind: InstanceKind;
}

export type FileRepository = ReturnType<typeof createFileRepository>;

/** Reads the files of imaging studies. */
export const createFileRepository = (db: Database) =>
  bindFirst(db, {
    hasSeries,
    framed: listFramed,
    ofStudy: listOfStudy,
    bundle: listBundle,
    bundleFile: findBundleFile,
  });

const hasSeries = (db: Database, studyId: number, seriesId: number): boolean =>
  db.prepare('SELECT 1 FROM imaging_series WHERE id = ? AND study_id = ?').get(seriesId, studyId) !== undefined;

/**
 * Objects with frames by position, then by instance number; those without come last. Frames beyond `MAX_SERIES_FRAMES`
 * are left out.
 */
const listFramed = (db: Database, seriesId: number): FramedObject[] =>
  db
    .prepare(
      `SELECT *, min(all_frames, @max - first) AS frames FROM (
        SELECT o.id, s.folder_path || '/' || o.file_name AS path, o.file_name AS name, o.file_hash AS hash,
        o.transfer_syntax_uid, o.frames AS all_frames, o.window_center, o.window_width, o.position,
        sum(o.frames) OVER (ORDER BY o.position IS NULL, o.position, o.instance_number IS NULL, o.instance_number, o.id)
          - o.frames AS first
        FROM imaging_instances AS o JOIN imaging_series AS s ON s.id = o.series_id
        WHERE o.series_id = @series AND o.frames > 0) WHERE first < @max ORDER BY first`,
    )
    .all({ series: seriesId, max: MAX_SERIES_FRAMES }) as FramedObject[];

const BUNDLE = 'SELECT name, kind, file_size AS size, file_hash AS hash FROM imaging_bundle_files WHERE study_id = ?';

const listBundle = (db: Database, studyId: number): BundleFile[] =>
  db.prepare(`${BUNDLE} ORDER BY name`).all(studyId) as BundleFile[];

const findBundleFile = (db: Database, studyId: number, name: string): BundleFile | undefined =>
  db.prepare(`${BUNDLE} AND name = ?`).get(studyId, name) as BundleFile | undefined;

/** Every object of a study, by series and position. */
const listOfStudy = (db: Database, studyId: number): ExportedObject[] =>
  db
    .prepare(
      `SELECT s.folder_path || '/' || o.file_name AS path, i.study_instance_uid AS study,
        s.series_instance_uid AS series, o.sop_instance_uid AS instance, o.sop_class_uid AS sopClass,
        o.transfer_syntax_uid AS syntax, o.kind
        FROM imaging_instances AS o JOIN imaging_series AS s ON s.id = o.series_id
        JOIN imaging_studies AS i ON i.id = s.study_id WHERE s.study_id = ?
        ORDER BY s.series_number IS NULL, s.series_number, s.id, o.position IS NULL, o.position,
          o.instance_number IS NULL, o.instance_number, o.id`,
    )
    .all(studyId) as ExportedObject[];
