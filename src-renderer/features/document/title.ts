import type { DocumentDetail } from '../../../src-shared/contract/rows.ts';

type Named = Pick<DocumentDetail, 'doc_type' | 'original_filename' | 'facility_name' | 'specialty_display' | 'specialty_canonical_display'
  | 'lab_results' | 'medications' | 'vaccinations' | 'encounters' | 'imaging_studies'>;

/** Words that a title needs from the catalogue. */
export interface TitleWords {
  type: (type: string | null) => string;
  and: (items: readonly string[]) => string;
  /** "and 3 more". */
  more: (items: string, count: number) => string;
}

const LONGEST = 64;
const NAMED_ITEMS = 2;

const unique = (names: readonly (string | null | undefined)[]) => [...new Set(names.map((name) => name?.trim()).filter((name): name is string => Boolean(name)))];

/** Names what a document is about, by type: the panels of a lab report, medicines of a prescription, diagnoses of a letter. */
function subjectsOf(document: Named): string[] {
  switch (document.doc_type) {
    case 'lab_test': {
      const panels = unique(document.lab_results.map((result) => result.panel_name));
      const names = document.lab_results.map((result) => result.test_name_canonical ?? result.test_name_original);
      return panels.length > 0 ? panels : unique(names);
    }
    case 'prescription': return unique(document.medications.map((medicine) => medicine.brand_name ?? medicine.active_ingredient_original));
    case 'vaccination': return unique(document.vaccinations.map((vaccination) => vaccination.vaccine_name));
    case 'imaging_report': return unique(document.imaging_studies.map((study) => study.study_description ?? study.body_part));
    case 'invoice': return unique([document.facility_name]);
    default: return unique(document.encounters.map((encounter) => encounter.diagnosis_original));
  }
}

/** Name of a file without its ending, underscores as spaces. */
const stemOf = (filename: string) => filename.replace(/\.[a-z0-9]{2,5}$/i, '').replace(/_+/g, ' ').trim();

/** What a person would call a document: "Lab test: Lipids and CBC", "Invoice: Northgate Clinic"; its file name while nothing is known. */
export function titleOf(document: Named, words: TitleWords): string {
  if (document.doc_type === null) return stemOf(document.original_filename) || document.original_filename;
  const type = words.type(document.doc_type);
  const subjects = subjectsOf(document);
  if (subjects.length === 0) {
    const beside = document.specialty_canonical_display ?? document.specialty_display ?? document.facility_name;
    return beside ? `${type}: ${beside}` : type;
  }
  const shown = subjects.slice(0, NAMED_ITEMS);
  while (shown.length > 1 && shown.join('').length > LONGEST) shown.pop();
  const rest = subjects.length - shown.length;
  return `${type}: ${rest > 0 ? words.more(shown.join(', '), rest) : words.and(shown)}`;
}
