import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { contract } from '../../client/api.ts';
import { DoubtMark } from '../../client/doubt-mark.tsx';
import { useFormats } from '../../client/format.ts';
import { FLAG_SIGNS, flagOf, labValueText, rangeOf, rangeText } from '../../client/lab-text.ts';
import { Sparkline } from '../../ui/chart/sparkline.tsx';
import { Panel } from '../../ui/panel.tsx';

type Abnormal = Reply<typeof contract.today.overview>['abnormal'];

const MAX_ROWS = 6;

/** Texts of the flags. */
const FLAG_KEYS = { high: 'above', low: 'below', abnormal: 'outside' } as const;

/** Results outside their reference range in the newest report, each with its trend. */
export function AbnormalPanel({ abnormal }: { abnormal: Abnormal }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <Panel title={t('today.abnormal')} aside={abnormal ? formats.day(abnormal.document_date) : undefined}>
      {!abnormal && <p className="panel-body cap">{t('today.abnormal_none')}</p>}
      <ul className="lines">
        {abnormal?.results.slice(0, MAX_ROWS).map((result) => {
          const flag = flagOf(result) ?? 'abnormal';
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
                <span className={`${flag === 'low' ? 'low' : 'high'} num`}>
                  {formats.withUnit(labValueText(result, formats.locale), result.unit)} {FLAG_SIGNS[flag]}
                  <span className="sr-only">{t(`today.${FLAG_KEYS[flag]}`)}</span>
                  <DoubtMark doubt={result.doubt} />
                </span>
                <span className="cap num">{range}</span>
                <Sparkline
                  values={result.series.map((point) => point.value)}
                  flag={flag === 'abnormal' ? 'high' : flag}
                />
              </Link>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
