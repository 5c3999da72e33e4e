import { foldWords } from '../../reading/extraction/fold.ts';
import { otherNamesIn } from '../../reading/extraction/patient-decision.ts';

interface Undecided {
  id: number;
  patient_id: number | null;
  uploaded_by_user_id: number | null;
  extracted_patient_name: string | null;
  extracted_birth_date: string | null;
  review_reasons: Parameters<typeof otherNamesIn>[0] | null;
}

/** Undecided documents that ask the same question. */
export interface Group {
  chosenId: number | null;
  uploaderId: number | null;
  name: string | null;
  birth: string | null;
  otherNames: readonly string[];
  documentIds: [number, ...number[]];
}

/**
 * Groups documents by the printed person and the chosen one, in the order of their first documents. One with pages of
 * several persons is a question of its own.
 */
export function groupUndecided(rows: readonly Undecided[]): Group[] {
  const groups: Group[] = [];
  for (const row of rows) {
    const otherNames = otherNamesIn(row.review_reasons ?? []);
    const group = otherNames.length > 0 ? undefined : groups.find((one) => isSameQuestion(one, row));
    if (group) {
      group.documentIds.push(row.id);
      group.birth ??= row.extracted_birth_date;
    } else
      groups.push({
        chosenId: row.patient_id,
        uploaderId: row.uploaded_by_user_id,
        name: row.extracted_patient_name,
        birth: row.extracted_birth_date,
        otherNames,
        documentIds: [row.id],
      });
  }
  return groups;
}

/** The same printed name in any order, and no other birth date. Documents of two uploaders may need other rights. */
function isSameQuestion(group: Group, row: Undecided): boolean {
  if (group.otherNames.length > 0) return false;
  const isSameOwner =
    group.chosenId === row.patient_id && (row.patient_id !== null || group.uploaderId === row.uploaded_by_user_id);
  const birth = row.extracted_birth_date;
  const isSameBirth = group.birth === birth || (row.extracted_patient_name !== null && (!group.birth || !birth));
  return isSameOwner && isSameBirth && keyOf(group.name) === keyOf(row.extracted_patient_name);
}

const keyOf = (name: string | null): string =>
  foldWords(name ?? '')
    .sort()
    .join(' ');
