import { LONG_FILE_PAGES, type SectionType } from '../../../src-shared/medical/document-type.ts';
import type { FoundSection } from '../extraction.ts';
import { createPhraseFinder, tokensOf } from '../languages/phrases.ts';
import type { Layout, LayoutPage } from '../layout/layout.ts';

/** Titles of the parts of a hospital file, in English, German, French and Italian. Data. */
const findTitles = createPhraseFinder<Exclude<SectionType, 'other'>>({
  lab_results_page: ['laboratory report', 'lab report', 'laboratory results', 'lab results', 'blood test results', 'laboratory', 'cumulative report', 'laborbefund', 'laborbericht', 'laborwerte', 'laborresultate', 'labor', 'laborblatt', 'résultats d analyses', 'résultats de laboratoire', 'laboratoire', 'analyses', 'bilan biologique', 'esami di laboratorio', 'referto di laboratorio', 'analisi', 'esami ematochimici', 'laboratorio', 'risultati di laboratorio'],
  clinical_notes: ['clinical notes', 'progress notes', 'progress note', 'physician notes', 'doctor s notes', 'medical notes', 'ward round', 'daily notes', 'verlaufsnotizen', 'verlauf', 'verlaufsbericht', 'ärztlicher verlauf', 'arztverlauf', 'visite', 'visiten', 'krankengeschichte', 'verlaufsdokumentation', 'notes cliniques', 'notes d évolution', 'évolution', 'suivi médical', 'observations médicales', 'note cliniche', 'diario clinico', 'decorso clinico', 'diario medico', 'notes médicales', 'klinische notizen', 'klinischer verlauf', 'notes de suivi'],
  nursing_notes: ['nursing notes', 'nursing record', 'nursing report', 'nurse s notes', 'pflegebericht', 'pflegedokumentation', 'pflegeverlauf', 'pflege', 'notes infirmières', 'dossier infirmier', 'transmissions infirmières', 'soins infirmiers', 'diario infermieristico', 'note infermieristiche', 'cartella infermieristica'],
  vital_signs: ['vital signs', 'vitals', 'observation chart', 'observations', 'vitalzeichen', 'vitalwerte', 'vitalparameter', 'kurvenblatt', 'signes vitaux', 'paramètres vitaux', 'constantes', 'parametri vitali', 'segni vitali', 'temperature chart', 'fieberkurve'],
  consent_form: ['consent form', 'informed consent', 'consent', 'patient consent', 'einwilligung', 'einverständniserklärung', 'aufklärungsbogen', 'einwilligungserklärung', 'patientenaufklärung', 'aufklärungsprotokoll', 'consentement', 'consentement éclairé', 'formulaire de consentement', 'consenso informato', 'consenso', 'modulo di consenso'],
  cover_page: ['cover sheet', 'cover page', 'table of contents', 'contents', 'fax cover', 'deckblatt', 'inhaltsverzeichnis', 'stammblatt', 'patientenstammblatt', 'page de garde', 'sommaire', 'copertina', 'frontespizio', 'indice', 'fiche administrative', 'admission sheet', 'face sheet'],
  medication_chart: ['medication chart', 'medication administration record', 'drug chart', 'medication list', 'medication record', 'medikamentenblatt', 'medikamentenkurve', 'medikationsplan', 'verordnungsblatt', 'medikamentenplan', 'fiche de traitement', 'feuille de traitement', 'plan de médication', 'prescriptions', 'scheda terapia', 'foglio terapia', 'scheda terapeutica', 'terapia farmacologica'],
  operative_notes: ['operative report', 'operation report', 'operation note', 'operative note', 'surgical report', 'anaesthesia record', 'procedure note', 'operationsbericht', 'op bericht', 'operationsprotokoll', 'anästhesieprotokoll', 'op protokoll', 'compte rendu opératoire', 'protocole opératoire', 'rapport opératoire', 'feuille d anesthésie', 'verbale operatorio', 'referto operatorio', 'rapporto operatorio', 'descrizione intervento', 'scheda anestesiologica'],
  discharge_summary: ['discharge summary', 'discharge letter', 'discharge report', 'hospital discharge summary', 'austrittsbericht', 'entlassungsbericht', 'entlassbrief', 'entlassungsbrief', 'epikrise', 'lettre de sortie', 'rapport de sortie', 'compte rendu d hospitalisation', 'résumé de sortie', 'lettera di dimissione', 'relazione di dimissione', 'rapporto d uscita', 'lettera d uscita'],
  imaging_report: ['radiology report', 'imaging report', 'x ray', 'ct', 'mri', 'ultrasound', 'chest x ray', 'radiologischer befund', 'radiologiebefund', 'röntgen*', 'computertomographie', 'mrt', 'sonographie', 'ultraschall', 'radiologie', 'compte rendu d imagerie', 'radiographie', 'irm', 'scanner', 'échographie', 'referto radiologico', 'radiografia', 'ecografia', 'risonanza magnetica', 'tac', 'rapport radiologique'],
  correspondence: ['dear colleague', 'dear doctor', 'dear dr', 'sehr geehrte', 'sehr geehrter', 'liebe kollegin', 'lieber kollege', 'cher confrère', 'chère consoeur', 'cher collègue', 'chère collègue', 'egregio collega', 'gentile collega', 'egregio dottore', 'referral letter', 'zuweisung', 'überweisung', 'überweisungsschreiben', 'lettre de liaison'],
  invoice_page: ['invoice', 'bill', 'statement of charges', 'rechnung', 'kostenübersicht', 'honorarrechnung', 'facture', 'décompte', 'fattura', 'ricevuta', 'cost estimate', 'kostenvoranschlag', 'devis'],
});
/** A title stands in the upper part of its page. */
const TITLE_SHARE = 0.32;
const MOST_TITLE_WORDS = 7;

/** What one page says it is; null where it only goes on. */
export function typeOfPage(page: LayoutPage): SectionType | null {
  for (const line of page.lines) {
    if (line.y > TITLE_SHARE) break;
    for (const segment of line.segments) {
      if (segment.words.length > MOST_TITLE_WORDS) continue;
      const match = findTitles(tokensOf(segment.words))[0];
      if (match && match.from <= 1) return match.role;
    }
  }
  return null;
}

/** Sections of a file of more than five pages: neighbouring pages of one kind belong together, untitled ones to what came before. */
export function findSections(layout: Layout): FoundSection[] {
  if (layout.pages.length <= LONG_FILE_PAGES) return [];
  const sections: FoundSection[] = [];
  for (const page of layout.pages) {
    const type = typeOfPage(page);
    const last = sections.at(-1);
    if (last && (type === null || type === last.section_type)) last.page_end = page.page;
    else sections.push({ section_index: sections.length, page_start: page.page, page_end: page.page, section_type: type ?? 'other', summary_en: null });
  }
  return sections;
}
