import type { Specimen } from '../../../src-shared/medical/lab-name.ts';

/** Parts of the knowledge base; each is the kind of names (`NameKind`) that it describes. */
export const KNOWLEDGE_KINDS = ['lab_tests', 'diagnoses', 'medications', 'specialties'] as const;
export type KnowledgeKind = (typeof KNOWLEDGE_KINDS)[number];

export const LANGUAGES = ['en', 'de', 'fr', 'it'] as const;
export type KnowledgeLanguage = (typeof LANGUAGES)[number];

/** A spelling of an entry. `ambiguous`: other entries go by it too, so that it never decides alone. */
export interface KnowledgeAlias {
  alias: string;
  language: KnowledgeLanguage | null;
  ambiguous: boolean;
}

interface Common {
  /** Code of the public code system: LOINC, WHO ICD-10, ATC; specialties have our own codes. */
  code: string;
  /**
   * The code means more than this entry (`E53.8`, deficiencies of other vitamins): it says what the entry belongs to,
   * not that the entry is meant.
   */
  sharesCode: boolean;
  /** Further codes of the same thing: the LOINC code of the other unit, the ATC codes of other routes. */
  otherCodes: readonly string[];
  /** `canonical_code` of the row that is seeded from the entry; unique within the kind. */
  canonicalCode: string;
  /** Names in four languages; `en` is the `canonical_display`. */
  names: Readonly<Record<KnowledgeLanguage, string>>;
  /** All spellings, the four names among them. */
  aliases: readonly KnowledgeAlias[];
}

export interface LabTestEntry extends Common {
  kind: 'lab_tests';
  /** What laboratories print as the short form (`ALT`), or null. */
  short: string | null;
  category: string;
  specimen: Specimen;
  /** UCUM code, or null for results in words. */
  unit: string | null;
  /** Grams per mole, for conversions between mass and amount of substance; null where none holds. */
  molarMass: number | null;
  /** Elementary charges of the ion, for mEq; null for others. */
  charge: number | null;
}
export interface DiagnosisEntry extends Common {
  kind: 'diagnoses';
}
export interface MedicationEntry extends Common {
  kind: 'medications';
}
export interface SpecialtyEntry extends Common {
  kind: 'specialties';
}

export interface EntryOf {
  lab_tests: LabTestEntry;
  diagnoses: DiagnosisEntry;
  medications: MedicationEntry;
  specialties: SpecialtyEntry;
}
export type KnowledgeEntry = EntryOf[KnowledgeKind];
