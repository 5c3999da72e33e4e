import type { ListedDocument, SharedDetail } from '../../../src-shared/contract/share.ts';
import type { PageTurn } from '../../../src-shared/medical/page.ts';
import type { Database } from '../../platform/database/connection.ts';
import { REGION_STATUS } from '../../reading/pipeline/region-status.ts';

/** The file of a shared document. */
export interface SharedFile {
  file_path: string;
  mime_type: string;
  /** Clockwise rotations by a user, by page. */
  page_turns: Record<string, PageTurn>;
}

/** The object with a frame of a shared imaging study. */
interface SharedFrame {
  /** Vault path. */
  path: string;
  /** 0-based. */
  frame: number;
}

/** Whose documents are in a share. */
interface SharedPatient {
  name: string;
  /** `YYYY-MM-DD` */
  birthDate: string | null;
  sex: 'M' | 'F' | 'O' | null;
}

/**
 * The documents of a share that still belong to its patient: whoever turns out to be somebody else's has left the share.
 * Bound as @shareId.
 */
const SHARED = `share_documents AS sd JOIN shares AS sh ON sh.share_id = sd.share_id
  JOIN record_documents AS d ON d.id = sd.document_id AND d.patient_id = sh.patient_id
  LEFT JOIN doctors AS dr ON dr.id = d.doctor_id LEFT JOIN facilities AS f ON f.id = d.facility_id
  LEFT JOIN norm_specialties AS s ON s.id = d.norm_specialty_id`;
const LIST_COLUMNS = `d.id, d.doc_type, d.original_filename, d.event_date, d.issued_date, d.summary_en,
  d.summary_original, d.language_source, d.page_count, dr.canonical_display AS doctor_name,
  f.canonical_display AS facility_name, coalesce(s.canonical_display, d.specialty_original) AS specialty_display`;
const IMAGES = `(SELECT coalesce(sum(i.num_images), 0) FROM record_studies AS i WHERE i.document_id = d.id)`;
const DETAIL_COLUMNS = `${LIST_COLUMNS}, d.date_received, d.notes,
  s.canonical_display AS specialty_canonical_display, d.file_path <> '' AS has_file`;
const OF_SHARE = 'sd.share_id = @shareId';
const ONE = `${OF_SHARE} AND d.id = @id`;

/** Translations that were made for the share, and those of the household that were recognized in the picture. */
const READABLE_REGION = '(r.share_id = @shareId OR (r.share_id IS NULL AND r.ocr_provider_id IS NOT NULL))';

/** Rows of a document, each a choice of columns. */
const ROWS = {
  lab_results: `SELECT l.id, l.test_name_original, n.canonical_display AS test_name_canonical, n.canonical_code, l.value,
      l.value_text, l.unit, l.reference_range_low, l.reference_range_high, l.reference_range_comparator, l.is_abnormal,
      l.sample_type, l.panel_name, l.test_date, l.doubt IS NOT NULL AND l.doubt <> '[]' AS is_doubtful
    FROM lab_results AS l LEFT JOIN norm_lab_tests AS n ON n.id = l.norm_lab_test_id
    WHERE l.document_id = @id ORDER BY l.id`,
  medications: `SELECT id, brand_name, active_ingredient_original, dosage, form, frequency, duration, quantity,
      prescribed_date FROM medications WHERE document_id = @id ORDER BY id`,
  vaccinations: `SELECT id, vaccine_name, manufacturer, lot_number, dose_number, date_administered
    FROM vaccinations WHERE document_id = @id ORDER BY id`,
  sections: `SELECT id, section_index, page_start, page_end, section_type, summary_en
    FROM document_sections WHERE document_id = @id ORDER BY section_index`,
  region_translations: `SELECT r.id, r.page, r.bbox_x, r.bbox_y, r.bbox_w, r.bbox_h, r.ocr_text, r.translated_text,
      r.target_language, r.created_at, ${REGION_STATUS} AS status, r.thumbnail_path IS NOT NULL AS has_thumbnail
    FROM region_translations AS r WHERE r.document_id = @id AND ${READABLE_REGION} ORDER BY r.id`,
  links: `SELECT id, id AS link_id, source_document_id, target_document_id, link_type, created_at FROM document_links
    WHERE (source_document_id = @id OR target_document_id = @id)
      AND source_document_id IN (SELECT d.id FROM ${SHARED} WHERE ${OF_SHARE})
      AND target_document_id IN (SELECT d.id FROM ${SHARED} WHERE ${OF_SHARE}) ORDER BY id`,
} as const;
/** Imaging studies of a document with pictures, and their series with the window of the first object. */
const STUDIES = `SELECT id, modality, body_part, study_description, study_date FROM record_studies
  WHERE document_id = @id AND num_images > 0 ORDER BY id`;
const SERIES = `SELECT s.id AS series_id, s.series_number, s.series_description, s.modality, s.num_images,
    o.window_center, o.window_width
  FROM imaging_series AS s LEFT JOIN imaging_instances AS o ON o.id = (SELECT min(o2.id) FROM imaging_instances AS o2
    WHERE o2.series_id = s.id AND o2.frames > 0)
  WHERE s.study_id = @study AND s.num_images > 0 ORDER BY s.series_number IS NULL, s.series_number, s.id`;
/** The object with a frame of a series of a document of the share, and the number of the frame in it. */
const FRAME = `SELECT path, @index - first AS frame FROM (
    SELECT s.folder_path || '/' || o.file_name AS path, o.frames,
      sum(o.frames) OVER (ORDER BY o.position IS NULL, o.position, o.instance_number IS NULL, o.instance_number, o.id)
        - o.frames AS first
    FROM imaging_instances AS o JOIN imaging_series AS s ON s.id = o.series_id
      JOIN record_studies AS i ON i.id = s.study_id
    WHERE o.series_id = @seriesId AND o.frames > 0 AND i.document_id IN (SELECT d.id FROM ${SHARED} WHERE ${ONE}))
  WHERE first <= @index AND @index < first + frames`;
type RowKind = keyof typeof ROWS;

type Raw = Record<string, unknown>;
/** SQLite has no boolean. */
const withFlags = (row: Raw, ...names: string[]): Raw => ({
  ...row,
  ...Object.fromEntries(names.map((name) => [name, row[name] === null ? null : row[name] === 1])),
});

export type RecordRepository = ReturnType<typeof createRecordRepository>;

/** What recipients read: only columns that they may see are selected. */
export function createRecordRepository(db: Database) {
  const rowsOf = (kind: RowKind, shareId: string, id: number): Raw[] =>
    db.prepare(ROWS[kind]).all({ id, ...(ROWS[kind].includes('@shareId') && { shareId }) }) as Raw[];
  const studiesOf = (id: number): Raw[] =>
    (db.prepare(STUDIES).all({ id }) as Raw[]).map((study) => ({
      ...study,
      series: db.prepare(SERIES).all({ study: study['id'] }),
    }));
  return {
    documents: (shareId: string): ListedDocument[] =>
      db
        .prepare(
          `SELECT ${LIST_COLUMNS}, ${IMAGES} AS num_images FROM ${SHARED} WHERE ${OF_SHARE} ORDER BY sd.position`,
        )
        .all({ shareId }) as ListedDocument[],
    document(shareId: string, id: number): SharedDetail | null {
      const row = db.prepare(`SELECT ${DETAIL_COLUMNS} FROM ${SHARED} WHERE ${ONE}`).get({ shareId, id }) as
        | Raw
        | undefined;
      if (!row) return null;
      return {
        ...withFlags(row, 'has_file'),
        imaging_studies: studiesOf(id),
        lab_results: rowsOf('lab_results', shareId, id).map((one) => withFlags(one, 'is_abnormal', 'is_doubtful')),
        medications: rowsOf('medications', shareId, id),
        vaccinations: rowsOf('vaccinations', shareId, id),
        sections: rowsOf('sections', shareId, id),
        region_translations: rowsOf('region_translations', shareId, id).map((one) => withFlags(one, 'has_thumbnail')),
        links: rowsOf('links', shareId, id),
      } as unknown as SharedDetail;
    },
    /** Whether the document is in the share. */
    has: (shareId: string, id: number): boolean =>
      db.prepare(`SELECT 1 FROM ${SHARED} WHERE ${ONE}`).get({ shareId, id }) !== undefined,
    /** The file of a document of the share; null for a document without one. */
    file(shareId: string, id: number): SharedFile | null {
      const row = db
        .prepare(`SELECT d.file_path, d.mime_type, d.page_turns FROM ${SHARED} WHERE ${ONE} AND d.file_path <> ''`)
        .get({ shareId, id }) as (Omit<SharedFile, 'page_turns'> & { page_turns: string | null }) | undefined;
      return row ? { ...row, page_turns: JSON.parse(row.page_turns ?? '{}') as SharedFile['page_turns'] } : null;
    },
    /** The file with a frame, 0-based, of a series of a document of the share, and the number of the frame in it. */
    frame: (shareId: string, id: number, place: { seriesId: number; index: number }): SharedFrame | null =>
      (db.prepare(FRAME).get({ shareId, id, ...place }) as SharedFrame | undefined) ?? null,
    /** The picture of a translated part of a page; null if there is none. */
    regionPath: (shareId: string, id: number, regionId: number): string | null =>
      (db
        .prepare(
          `SELECT r.thumbnail_path FROM region_translations AS r WHERE r.id = @regionId AND r.document_id = @id
            AND ${READABLE_REGION}`,
        )
        .pluck()
        .get({ shareId, id, regionId }) as string | null | undefined) ?? null,
    /** Whether all these documents are in the share. */
    hasAll: (shareId: string, ids: readonly number[]): boolean =>
      db
        .prepare(`SELECT count(*) FROM ${SHARED} WHERE ${OF_SHARE} AND d.id IN (SELECT value FROM json_each(@ids))`)
        .pluck()
        .get({ shareId, ids: JSON.stringify(ids) }) === ids.length,
    patient: (shareId: string): SharedPatient =>
      db
        .prepare(
          `SELECT p.display_name AS name, p.date_of_birth AS birthDate, p.sex FROM shares AS s
            JOIN patients AS p ON p.id = s.patient_id WHERE s.share_id = ?`,
        )
        .get(shareId) as SharedPatient,
    patientName: (shareId: string): string =>
      db
        .prepare(
          'SELECT p.display_name FROM shares AS s JOIN patients AS p ON p.id = s.patient_id WHERE s.share_id = ?',
        )
        .pluck()
        .get(shareId) as string,
    /** The pages of a document of the share; null if they were not counted. */
    pageCount: (shareId: string, id: number): number | null =>
      (db.prepare(`SELECT d.page_count FROM ${SHARED} WHERE ${ONE}`).pluck().get({ shareId, id }) as
        | number
        | null
        | undefined) ?? null,
    /** The providers that its owner named for translations. */
    providers: (shareId: string): { ocr: string | null; llm: string | null } =>
      db
        .prepare('SELECT default_ocr_provider_id AS ocr, default_llm_provider_id AS llm FROM shares WHERE share_id = ?')
        .get(shareId) as { ocr: string | null; llm: string | null },
    /** Whether a share is open that contains the document. */
    isOpenFor: (shareId: string, id: number, now: string): boolean =>
      db
        .prepare(`SELECT 1 FROM ${SHARED} WHERE ${ONE} AND sh.revoked_at IS NULL AND sh.expires_at > @now`)
        .get({ shareId, id, now }) !== undefined,
  };
}
