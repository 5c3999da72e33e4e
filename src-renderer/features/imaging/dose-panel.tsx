import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { StudyDose } from '../../../src-shared/contract/imaging.ts';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useFormats } from '../../client/format.ts';
import { Panel } from '../../ui/panel.tsx';
import '../../ui/table/table.css';
import './dose-panel.css';

type Doses = Reply<typeof contract.imaging.doses>;

/** The radiation dose of a patient over the years, and of each examination; nothing without a dose report. */
export function DosePanel({ patient }: { patient: string }) {
  const { t } = useTranslation('imaging');
  const { data } = useQuery({
    queryKey: [...cacheKeys.imaging, 'doses', patient],
    queryFn: ({ signal }) => call(contract.imaging.doses, { query: { patient_id: patient } }, signal),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <Panel title={t('dose')} className="dose-panel">
      <p className="cap dose-note">{t('dose_note')}</p>
      <DoseTable
        name={t('dose_years')}
        first={t('dose_year')}
        rows={data.years.map((year) => ({
          key: String(year.year),
          label: `${year.year ?? t('dose_undated')} · ${t('studies', { count: year.studies })}`,
          dose: year,
        }))}
      />
      <StudyDoses items={data.items} />
    </Panel>
  );
}

function StudyDoses({ items }: Pick<Doses, 'items'>) {
  const { t } = useTranslation('imaging');
  const formats = useFormats();
  return (
    <DoseTable
      name={t('dose_studies')}
      first={t('dose_study')}
      rows={items.map((item) => ({
        key: String(item.study_id),
        label: (
          <Link to="/imaging/$id" params={{ id: String(item.study_id) }}>
            {[formats.date(item.study_date), item.modality, item.study_description ?? item.body_part]
              .filter(Boolean)
              .join(' · ')}
          </Link>
        ),
        dose: item,
      }))}
    />
  );
}

type Measured = Partial<StudyDose>;

/** What is measured, in which unit; only columns with values are shown. */
const COLUMNS = [
  ['ctdi_vol', 'mGy'],
  ['dlp', 'mGy·cm'],
  ['dap', 'Gy·cm²'],
  ['fluoroscopy_seconds', 's'],
  ['glandular_dose', 'mGy'],
  ['activity', 'MBq'],
] as const satisfies readonly (readonly [keyof StudyDose, string])[];

function DoseTable({
  name,
  first,
  rows,
}: {
  name: string;
  first: string;
  rows: readonly { key: string; label: ReactNode; dose: Measured }[];
}) {
  const { t } = useTranslation('imaging');
  const formats = useFormats();
  const columns = COLUMNS.filter(([id]) => rows.some(({ dose }) => dose[id] != null));
  return (
    <div className="table-panel">
      <table className="table" aria-label={name}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {columns.map(([id]) => (
              <th key={id} scope="col" className="r">
                {t(`dose_${id}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, label, dose }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              {columns.map(([id, unit]) => (
                <td key={id} className="num r">
                  {dose[id] == null ? '' : formats.withUnit(rounded(dose[id]), unit)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Three significant digits; more are not measured. */
const rounded = (value: number): number => Number(value.toPrecision(3));

/** The dose of one examination as label and value; only what was measured. */
export function useDoseFacts(): (dose: StudyDose) => { label: string; value: string }[] {
  const { t } = useTranslation('imaging');
  const formats = useFormats();
  return (dose) =>
    COLUMNS.flatMap(([id, unit]) =>
      dose[id] === null ? [] : [{ label: t(`dose_${id}`), value: formats.withUnit(rounded(dose[id]), unit) }],
    );
}
