import { useTranslation } from 'react-i18next';
import type { Progress } from '../../../src-shared/ticker/flash/bench.ts';
import { useFormats } from '../../client/format.ts';

/** How far a transfer is, its speed and the time left. */
export function Transfer({
  label,
  done,
  total,
  progress,
}: {
  label: string;
  done: number;
  total: number;
  progress: Progress | null;
}) {
  const { t } = useTranslation('tickers');
  const formats = useFormats();
  const share = total > 0 ? done / total : 0;
  const facts = [
    [label, t('of', { done: formats.bytes(done), total: formats.bytes(total) })],
    [t('speed'), progress ? t('per_second', { size: formats.bytes(progress.bytesPerSecond) }) : '–'],
    [t('left'), progress?.secondsLeft == null ? '–' : t('seconds', { count: Math.ceil(progress.secondsLeft) })],
    [t('baud'), progress ? formats.count(progress.baud) : '–'],
  ] as const;
  return (
    <section className="panel" aria-label={label}>
      <dl className="ticker-speed num">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="cap">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="panel-body">
        <div
          className="meter"
          role="progressbar"
          aria-label={label}
          aria-valuenow={Math.round(share * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <i style={{ width: `${share * 100}%` }} />
        </div>
      </div>
    </section>
  );
}
