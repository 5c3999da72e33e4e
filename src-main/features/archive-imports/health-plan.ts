import { basename } from 'node:path';
import { fail } from '../../platform/kernel/errors.ts';
import { isMeasurement } from '../../../src-shared/ios-backup/artifacts/measurements.ts';
import { readClinicalRecord, type ClinicalContent } from './clinical-records.ts';
import { readHealthRecords } from './health-records.ts';
import type { NewItem } from './repository.ts';
import { folderOf, readMember, type Member, type Source } from './source.ts';

/** A type with more values on its days than a person takes is recorded by a device, and stored as daily means. */
const MAX_VALUES_A_DAY = 4;
/** Apple Health knows about 130 kinds of records; each is a line of the preview. */
const MAX_TYPES = 2000;
/** More than the files of an archive. */
const MAX_RECORDS = 200_000;
const MAX_RESOURCE_BYTES = 64 * 2 ** 20;
/** Folders of an export that Hearth has no place for. */
const LEFT_OUT = ['electrocardiograms', 'workout-routes'];
const CLINICAL = 'clinical-records';
const HEALTH_HEAD_MEMBER = /\.xml$/i;

/** Whether the member is the file with all records; its name is in the language of the phone. */
export async function isHealthFile(member: Member): Promise<boolean> {
  if (!HEALTH_HEAD_MEMBER.test(member.name)) return false;
  const stream = await member.open();
  let head = '';
  try {
    for await (const chunk of stream) {
      head += (chunk as Buffer).toString('latin1');
      if (head.length > 4096) break;
    }
  } finally {
    stream.destroy();
  }
  return /<!DOCTYPE HealthData|<HealthData[\s>]/.test(head.slice(0, 4096));
}

/** The content of a clinical record's file; throws `import.record_unreadable`. */
export async function readClinicalFile(member: Member): Promise<ClinicalContent> {
  const unreadable = fail('import.record_unreadable');
  const content = readClinicalRecord(await readMember(member, MAX_RESOURCE_BYTES, unreadable));
  if (content === null) throw unreadable;
  return content;
}

interface Seen {
  values: number;
  days: Set<string>;
}

/** Plans an export of Apple Health: measurements by type, clinical records by file, and what is left out. */
export async function planHealth(source: Source, signal: AbortSignal): Promise<NewItem[]> {
  const types = new Map<string, Seen>(),
    others = new Map<string, number>(),
    practices = new Map<string, string>();
  const records: string[] = [];
  let found = false;
  const count = (name: string): void => {
    if (others.size >= MAX_TYPES && !others.has(name)) throw fail('import.health_invalid');
    others.set(name, (others.get(name) ?? 0) + 1);
  };
  await source.read(async (member) => {
    signal.throwIfAborted();
    const folder = basename(folderOf(member.name));
    if (folder === CLINICAL && member.name.endsWith('.json')) records.push(member.name);
    else if (LEFT_OUT.includes(folder)) count(folder);
    else if (await isHealthFile(member)) {
      found = true;
      await readHealthRecords(
        member,
        {
          record({ type, day }) {
            if (!isMeasurement(type)) return count(type);
            const seen = types.get(type) ?? { values: 0, days: new Set<string>() };
            types.set(type, { values: seen.values + 1, days: seen.days.add(day) });
          },
          other: count,
          clinical: (file, practice) => {
            if (practices.size < MAX_RECORDS) practices.set(file, practice);
          },
        },
        signal,
      );
    }
    return true;
  });
  if (!found) throw fail('import.health_invalid');
  const plan = { document_ids: [], result_ids: [] };
  return [
    ...[...types].map(([type, seen]): NewItem => {
      const daily = seen.values > seen.days.size * MAX_VALUES_A_DAY;
      const values = daily ? seen.days.size : seen.values;
      return { ...plan, member: type, kind: 'measurements', details: { daily }, status: 'waiting', count: values };
    }),
    ...records.map((member): NewItem => {
      const practice = practices.get(basename(member));
      const details = practice ? { origin: practice } : {};
      return { ...plan, member, kind: 'clinical', details, status: 'unchecked' };
    }),
    ...[...others].map(([member, n]): NewItem => {
      const leftOut = { status: 'left_out' as const, code: 'import.no_place', count: n };
      return { ...plan, member, kind: 'measurements', details: {}, ...leftOut };
    }),
  ];
}
