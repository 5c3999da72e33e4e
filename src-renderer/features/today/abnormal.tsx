import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { contract } from '../../client/api.ts';
import { DoubtMark } from '../../client/doubt-mark.tsx';
import { useFormats } from '../../client/format.ts';
import { rangeOf, rangeText } from '../../client/lab-text.ts';
import { Sparkline } from '../../ui/chart/sparkline.tsx';
import { Panel } from '../../ui/panel.tsx';

type Abnormal = Reply<typeof contract.today.overview>['abnormal'];

const MAX_ROWS = 6;

function flagOf(value: number | null, low: number | null, high: number | null): 'high' | 'low' | null {
  if (value === null) return null;
  if (high !== null && value > high) return 'high';
  return low !== null && value < low ? 'low' : null;
}

/** Results outside their reference range in the newest report, each with its trend. */
export function AbnormalPanel({ abnormal }: { abnormal: Abnormal }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Panel title={t('today.abnormal')} aside={abnormal ? formats.day(abnormal.document_date) : undefined}>
      {!abnormal && <p className="panel-body cap">{t('today.abnormal_none')}</p>}
      <ul className="lines">
        {abnormal?.results.slice(0, MAX_ROWS).map((result) => {
          const { value, reference_range_low: low, reference_range_high: high } = result;
          const flag = flagOf(value, low, high);
          const range = rangeText(rangeOf(result), formats.locale);
          return (
            <li key={result.id}>
              <Link
                className="abnormal-row"
                to="/documents/$id"
                params={{ id: String(abnormal.document_id) }}
                search={{ value: `lab:${result.id}` }}
              >
                <span className="truncate strong">{result.test_name_canonical ?? result.test_name_original}</span>
                <span className={`${flag ?? 'high'} num`}>
                  {formats.withUnit(value ?? result.value_text ?? '', result.unit)} {flag === 'low' ? '▼' : '▲'}
                  <span className="sr-only">{flag === 'low' ? t('today.below') : t('today.above')}</span>
                  <DoubtMark doubt={result.doubt} />
                </span>
                <span className="cap num">{range}</span>
                <Sparkline values={result.series.map((point) => point.value)} flag={flag} />
              </Link>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
