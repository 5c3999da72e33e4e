import { labNameKey } from '../../../src-shared/medical/lab-name.ts';
import { medicineNameForms } from '../../../src-shared/medical/medicine-name.ts';
import { foldName, foldTerm } from '../../../src-shared/medical/name-fold.ts';
import type { NameKind } from '../../platform/database/schema/names.ts';
import { readDoctorName } from './doctor-name.ts';
import { readFacilityName } from './facility-name.ts';

export { foldName } from '../../../src-shared/medical/name-fold.ts';

/**
 * Returns the form under which a spelling is stored and found. It always ignores case, accents and punctuation; for
 * doctors also titles and the order of names, for facilities legal form and address, for tests the method and the
 * letter for serum or blood, for medicines dose, form, manufacturer and the salt (unless the substance is a mineral).
 * `sample` is the laboratory's word for the specimen. Empty if nothing remains.
 */
export function aliasKey(kind: NameKind, name: string, sample: string | null = null): string {
  switch (kind) {
    case 'doctors':
      return readDoctorName(name).words.join(' ');
    case 'facilities':
      return readFacilityName(name).words.join(' ');
    case 'lab_tests':
      return labNameKey(name, sample);
    case 'medications':
      return medicineNameForms(name).reduce(
        (shortest, form) => (form.length < shortest.length ? form : shortest),
        foldTerm(name),
      );
    case 'diagnoses':
      return foldTerm(name);
    case 'specialties':
      return foldName(name);
  }
}

/** Builds the `canonical_code` of an entry that is added for a printed name. */
export const codeOf = (kind: NameKind, printed: string, sample: string | null = null): string =>
  (aliasKey(kind, printed, sample).replaceAll(' ', '-') || codePointsOf(printed)).slice(0, 80) || 'unnamed';

/** Encodes a name without letters, so that only equal names share a code. */
const codePointsOf = (printed: string): string =>
  [...printed.replace(/\s/g, '')].map((sign) => sign.codePointAt(0)?.toString(16)).join('-');
