import { Link } from '@tanstack/react-router';
import { FileInput, ScanLine } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { addressOf, contract } from '../../../client/api.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import './study-view.css';

type Study = DocumentDetail['imaging_studies'][number];
type Series = Study['series'][number];

/** A study whose report has not come yet: a picture of each series, and the ways to its viewer and to the report. */
export function StudyView({ study, onAttach }: { study: Study; onAttach: ((report: File) => void) | null }) {
  const { t } = useTranslation('document');
  const shown = study.series.filter(({ num_images }) => num_images > 0);
  const params = { id: String(study.id) };
  return (
    <section className="study" aria-label={t('study')}>
      <div className="study-bar">
        {shown.length > 0 && (
          <Link to="/imaging/$id" params={params} className={buttonClass({ variant: 'primary', size: 'small' })}>
            <Icon glyph={ScanLine} />
            {t('study_open')}
          </Link>
        )}
        {onAttach && <AttachReport onAttach={onAttach} />}
      </div>
      {shown.length > 0 ? (
        <ul className="study-series" aria-label={t('study_series')}>
          {shown.map((one, index) => (
            <li key={one.id}>
              <Link to="/imaging/$id" params={params} search={{ series: String(one.id) }}>
                <img src={pictureOf(study, one)} alt="" loading="lazy" draggable={false} />
                {t('study_series_of', { name: seriesName(one, index), count: one.num_images })}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="study-empty">{t('study_empty')}</p>
      )}
    </section>
  );
}

const seriesName = ({ series_description, modality, series_number }: Series, index: number): string =>
  series_description ?? [modality, series_number ?? index + 1].filter((part) => part !== null).join(' ');

/** The middle of a series shows more of it than its first image. */
const pictureOf = (study: Study, { series_id, num_images }: Series): string =>
  addressOf(contract.imaging.frame, { params: { id: study.id, series_id, index: Math.floor((num_images - 1) / 2) } });

function AttachReport({ onAttach }: { onAttach: (report: File) => void }) {
  const { t } = useTranslation('document');
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="small" glyph={FileInput} className="push" onClick={() => picker.current?.click()}>
        {t('study_attach')}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        accept="application/pdf"
        onChange={(event) => {
          const [report] = event.target.files ?? [];
          if (report) onAttach(report);
          event.target.value = '';
        }}
      />
    </>
  );
}
