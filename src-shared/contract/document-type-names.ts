import type { DocumentType } from '../medical/document-type.ts';
import type { CoreLanguage } from './core-languages.ts';

/** What people outside of the household call each type of document, in the languages in which the core writes. */
export const DOCUMENT_TYPE_NAMES: Readonly<Record<CoreLanguage, Readonly<Record<DocumentType, string>>>> = {
  en: {
    invoice: 'Invoice',
    prescription: 'Prescription',
    specialist_report: 'Specialist report',
    surgical_report: 'Surgical report',
    discharge: 'Discharge report',
    lab_test: 'Laboratory report',
    vaccination: 'Vaccination record',
    medical_certificate: 'Medical certificate',
    imaging_report: 'Imaging report',
    other: 'Document',
  },
  de: {
    invoice: 'Rechnung',
    prescription: 'Rezept',
    specialist_report: 'Facharztbericht',
    surgical_report: 'Operationsbericht',
    discharge: 'Austrittsbericht',
    lab_test: 'Laborbefund',
    vaccination: 'Impfausweis',
    medical_certificate: 'Ärztliches Zeugnis',
    imaging_report: 'Bildgebungsbefund',
    other: 'Dokument',
  },
};
