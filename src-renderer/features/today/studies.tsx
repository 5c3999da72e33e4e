import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { addressOf, call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { fromTimestamp, now } from '../../client/clock.ts';
import { useFormats } from '../../client/format.ts';
import { RowPerson } from '../../client/people.tsx';
import { studyTitle } from '../../client/study-title.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';

const MAX_STUDIES = 4;
/** Reports come within a few weeks; older studies without one are in the list of imaging. */
const RECENT_MS = 30 * 86_400_000;

/** Imaging studies of the last weeks whose report is still missing. */
export function StudiesPanel({ patient }: { patient: string | undefined }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const query = {
    ...(patient !== undefined && { patient_id: patient }),
    ...({ report_status: 'placeholder', sort: 'date_added', order: 'desc', limit: String(MAX_STUDIES) } as const),
  };
  const { data } = useQuery({
    queryKey: [...cacheKeys.imaging, 'today', patient ?? 'all'],
    queryFn: ({ signal }) => call(contract.imaging.list, { query }, signal),
  });
  const recent = (data?.items ?? []).filter(({ date_added: added }) => now() - fromTimestamp(added) < RECENT_MS);
  if (recent.length === 0) return null;
  return (
    <Panel
      className="today-wide"
      title={t('today.studies')}
      actions={
        <Link
          className={buttonClass({ size: 'small', variant: 'quiet' })}
          to="/imaging"
          search={(before) => ({ patient: before.patient, report_status: 'placeholder' })}
        >
          {t('today.studies_all')}
        </Link>
      }
    >
      <ul className="lines">
        {recent.map((study) => (
          <li key={study.id} className="review-row">
            <span className="who-line strong">
              <RowPerson of={study} />
              <img
                className="today-study"
                src={addressOf(contract.imaging.thumbnail, { params: { id: study.id } })}
                alt=""
                loading="lazy"
              />
              <span className="truncate">{studyTitle(study, t('today.study_untitled'))}</span>
            </span>
            <span className="muted truncate">
              {[
                study.study_date && formats.date(study.study_date),
                t('today.study_images', { count: study.num_images }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            <Link className={buttonClass({ size: 'small' })} to="/imaging/$id" params={{ id: String(study.id) }}>
              {t('action.open')}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
