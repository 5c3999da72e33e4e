import type { Database } from '../../../platform/database/connection.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';
import { visibleTo, type StudyReader } from '../study-repository.ts';

/** Which objects, by their UIDs; all, where none is named. */
export interface Named {
  study?: string | undefined;
  series?: string | undefined;
  instance?: string | undefined;
}

/** An object with its place among the others. */
export interface StoredObject {
  study_id: number;
  study: string;
  series: string;
  instance: string;
  sop_class_uid: string;
  transfer_syntax_uid: string;
  /** Vault path. */
  path: string;
  hash: string;
  size: number;
  frames: number;
}

/** A study or series, with an object of it from which its attributes are read. */
export interface StoredGroup extends StoredObject {
  series_count: number;
  object_count: number;
  modalities: string[];
  sop_classes: string[];
}

export type ObjectRepository = ReturnType<typeof createObjectRepository>;

/** Reads what viewers may see. Studies of undecided documents are left out, as in lists. */
export const createObjectRepository = (db: Database) =>
  bindFirst(db, { objects: listObjects, groups: listGroups, sees: seesStudy });

const FROM = `imaging_instances AS o JOIN imaging_series AS s ON s.id = o.series_id
  JOIN imaging_studies AS i ON i.id = s.study_id LEFT JOIN documents AS d ON d.id = i.document_id`;
const COLUMNS = `i.id AS study_id, i.study_instance_uid AS study, s.series_instance_uid AS series,
  o.sop_instance_uid AS instance, o.sop_class_uid, o.transfer_syntax_uid, s.folder_path || '/' || o.file_name AS path,
  o.file_hash AS hash, o.file_size AS size, o.frames`;

function conditionOf(reader: StudyReader, { study, series, instance }: Named) {
  const visible = visibleTo(reader, undefined);
  const parts = [
    visible.sql,
    'i.study_instance_uid IS NOT NULL',
    ...(study === undefined ? [] : ['i.study_instance_uid = @study']),
    ...(series === undefined ? [] : ['s.series_instance_uid = @series']),
    ...(instance === undefined ? [] : ['o.sop_instance_uid = @instance']),
  ];
  return { sql: parts.join(' AND '), values: { ...visible.values, study, series, instance } };
}

/** In the order in which people look at them. Of two objects with the same UID, the one that was filed first counts. */
function listObjects(db: Database, reader: StudyReader, named: Named): StoredObject[] {
  const { sql, values } = conditionOf(reader, named);
  const rows = db
    .prepare(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE ${sql} ORDER BY i.study_date DESC, i.id DESC, s.series_number IS NULL,
        s.series_number, s.id, o.position IS NULL, o.position, o.instance_number IS NULL, o.instance_number, o.id`,
    )
    .all(present(values)) as StoredObject[];
  const seen = new Set<string>();
  return rows.filter(({ instance }) => !seen.has(instance) && seen.add(instance));
}

/** Studies or series, each with its first object. */
function listGroups(db: Database, reader: StudyReader, level: 'study' | 'series', named: Named): StoredGroup[] {
  const { sql, values } = conditionOf(reader, named);
  const by = level === 'study' ? 'i.study_instance_uid' : 's.series_instance_uid';
  const rows = db
    .prepare(
      `SELECT ${COLUMNS}, min(o.id), count(DISTINCT s.series_instance_uid) AS series_count,
        count(DISTINCT o.sop_instance_uid) AS object_count, json_group_array(DISTINCT s.modality) AS modalities,
        json_group_array(DISTINCT o.sop_class_uid) AS sop_classes
        FROM ${FROM} WHERE ${sql} GROUP BY ${by}
        ORDER BY i.study_date DESC, i.id DESC, s.series_number IS NULL, s.series_number, s.id`,
    )
    .all(present(values)) as (Omit<StoredGroup, 'modalities' | 'sop_classes'> &
    Record<'modalities' | 'sop_classes', string>)[];
  const textsOf = (json: string): string[] => (JSON.parse(json) as (string | null)[]).filter((text) => text !== null);
  return rows.map((row) => ({
    ...row,
    modalities: textsOf(row.modalities).sort(),
    sop_classes: textsOf(row.sop_classes).sort(),
  }));
}

const present = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<string, string>;

const seesStudy = (db: Database, reader: StudyReader, study: string): boolean => {
  const { sql, values } = conditionOf(reader, { study });
  return db.prepare(`SELECT 1 FROM ${FROM} WHERE ${sql} LIMIT 1`).get(present(values)) !== undefined;
};
