import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { useFormats } from '../../../client/format.ts';
import type { ChildKind, ChildRow } from './child-kinds.ts';

export interface RowLabels {
  main: string;
  notes: string[];
  end: string;
}

const nonEmpty = (texts: readonly (string | null | undefined)[]): string[] =>
  texts.filter((text): text is string => Boolean(text));

/** The texts of a visit, medicine or vaccination in a list. */
export function useRowLabels() {
  const { t } = useTranslation('document');
  const formats = useFormats();
  const encounter = (row: DocumentDetail['encounters'][number]): RowLabels => ({
    main: row.diagnosis_original ?? row.findings ?? row.follow_up_instructions ?? row.notes ?? t('visit'),
    notes: nonEmpty([
      row.diagnosis_original && row.findings,
      row.admission_date && row.discharge_date
        ? `${formats.date(row.admission_date)} – ${formats.date(row.discharge_date)}`
        : null,
      row.follow_up_date && t('follow_up', { date: formats.date(row.follow_up_date) }),
    ]),
    end: row.diagnosis_code ?? '',
  });
  const medication = (row: DocumentDetail['medications'][number]): RowLabels => ({
    main: nonEmpty([row.brand_name ?? row.active_ingredient_original, row.dosage]).join(' '),
    notes: nonEmpty([
      row.brand_name && row.active_ingredient_original?.toLowerCase() !== row.brand_name.toLowerCase()
        ? row.active_ingredient_original
        : null,
      row.form,
      row.duration,
    ]),
    end: row.frequency ?? '',
  });
  const vaccination = (row: DocumentDetail['vaccinations'][number]): RowLabels => ({
    main: row.vaccine_name,
    notes: nonEmpty([
      row.manufacturer,
      row.lot_number && t('lot', { lot: row.lot_number }),
      row.dose_number === null ? null : t('dose', { dose: row.dose_number }),
    ]),
    end: formats.date(row.date_administered),
  });
  return {
    row(kind: ChildKind, row: ChildRow): RowLabels {
      switch (kind) {
        case 'encounter':
          return encounter(row as DocumentDetail['encounters'][number]);
        case 'medication':
          return medication(row as DocumentDetail['medications'][number]);
        case 'vaccination':
          return vaccination(row as DocumentDetail['vaccinations'][number]);
      }
    },
  };
}
