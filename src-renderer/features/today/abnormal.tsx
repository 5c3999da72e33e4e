import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Reply } from '../../../src-shared/contract/endpoint.ts';
import type { contract } from '../../client/api.ts';
import { DoubtMark } from '../../client/doubt-mark.tsx';
import { useFormats } from '../../client/format.ts';
import { FLAG_SIGNS, flagOf, labValueText, rangeOf, rangeText } from '../../client/lab-text.ts';
import { RowPerson } from '../../client/people.tsx';
import { useTestName } from '../../client/test-name.ts';
import { classNames } from '../../ui/class-names.ts';
import { Sparkline } from '../../ui/chart/sparkline.tsx';
import { Panel } from '../../ui/panel.tsx';

type Report = Reply<typeof contract.today.overview>['abnormal'][number];

const MAX_ROWS = 6;

/** Texts of the flags. */
const FLAG_KEYS = { high: 'above', low: 'below', abnormal: 'outside' } as const;

/** Results outside their reference range in the newest report of each person, each with its trend. `isAlone`: no card is beside it. */
export function AbnormalPanel({ reports, isAlone }: { reports: readonly Report[]; isAlone: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [first] = reports;
  if (!first) return null;
  const isOne = reports.length === 1;
  return (
    <Panel
      className={classNames(isAlone && 'today-wide')}
      title={isOne ? t('today.abnormal') : t('today.abnormal_each')}
      aside={isOne ? formats.day(first.document_date) : undefined}
    >
      <ul className="lines">
        {reports.flatMap((report) =>
          report.results
            .slice(0, MAX_ROWS)
            .map((result) => (
              <AbnormalRow key={result.id} report={report} result={result} date={isOne ? null : report.document_date} />
            )),
        )}
      </ul>
    </Panel>
  );
}

function AbnormalRow({
  report,
  result,
  date,
}: {
  report: Report;
  result: Report['results'][number];
  date: string | null;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const testName = useTestName();
  const flag = flagOf(result) ?? 'abnormal';
  return (
    <li>
      <Link
        className="abnormal-row"
        to="/documents/$id"
        params={{ id: String(report.document_id) }}
        search={{ value: `lab:${result.id}` }}
      >
        <span className="who-line">
          <RowPerson of={report} />
          <span className="truncate strong">{testName(result)}</span>
        </span>
        <span className={`${flag === 'low' ? 'low' : 'high'} num`}>
          {formats.withUnit(labValueText(result, formats.locale), result.unit)} {FLAG_SIGNS[flag]}
          <span className="sr-only">{t(`today.${FLAG_KEYS[flag]}`)}</span>
          <DoubtMark doubt={result.doubt} />
        </span>
        <span className="cap num">
          {date === null ? rangeText(rangeOf(result), formats.locale) : formats.day(date)}
        </span>
        <Sparkline values={result.series.map((point) => point.value)} flag={flag === 'abnormal' ? 'high' : flag} />
      </Link>
    </li>
  );
}
