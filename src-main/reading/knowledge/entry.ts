import { LANGUAGES, type Language } from '../../../src-shared/medical/page.ts';
import type { Specimen } from '../../../src-shared/medical/lab-name.ts';

/** Parts of the knowledge base; each is named after the kind of names (`NameKind`) that it describes. */
export const KNOWLEDGE_KINDS = ['lab_tests', 'diagnoses', 'medications', 'specialties'] as const;
export type KnowledgeKind = (typeof KNOWLEDGE_KINDS)[number];

export { LANGUAGES };
export type KnowledgeLanguage = Language;

/**
 * A spelling of an entry. An `ambiguous` spelling is shared with other entries and never determines a match by itself.
 */
export interface KnowledgeAlias {
  alias: string;
  language: KnowledgeLanguage | null;
  ambiguous: boolean;
}

interface Common {
  /** Code of the public code system: LOINC, WHO ICD-10, ATC; specialties have our own codes. */
  code: string;
  /**
   * Whether the code covers more than this entry (`E53.8`, deficiencies of other vitamins). Such a code classifies the
   * entry but doesn't identify it.
   */
  sharesCode: boolean;
  /** Other codes of the same thing: the LOINC code of the other unit, the ATC codes of other routes. */
  otherCodes: readonly string[];
  /** `canonical_code` of the row that is seeded from the entry; unique within the kind. */
  canonicalCode: string;
  /** Names in four languages; `en` is the `canonical_display`. */
  names: Readonly<Record<KnowledgeLanguage, string>>;
  /** All spellings, including the four names. */
  aliases: readonly KnowledgeAlias[];
}

export interface LabTestEntry extends Common {
  kind: 'lab_tests';
  /** The short form that laboratories print (`ALT`), or null. */
  short: string | null;
  category: string;
  specimen: Specimen;
  /** UCUM code, or null for results in words. */
  unit: string | null;
  /** Grams per mole, for conversions between mass and amount of substance; null if no molar mass applies. */
  molarMass: number | null;
  /** Charge number of the ion, for mEq; null for other substances. */
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
