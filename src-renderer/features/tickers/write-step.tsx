import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { FirmwarePart } from '../../../src-shared/ticker/flash/check-images.ts';
import { formatAddress } from '../../../src-shared/ticker/flash/ticker-error.ts';
import { useFormats } from '../../client/format.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import { Failure } from './failure.tsx';
import { Transfer } from './transfer.tsx';
import type { BenchState, useBench } from './use-bench.ts';

type BenchHandle = ReturnType<typeof useBench>;

/** The fourth step: the progress of each part. A failed or stopped write begins again with the images. */
export function WriteStep({
  bench,
  parts,
  onBack,
}: {
  bench: BenchHandle;
  parts: readonly FirmwarePart[];
  onBack: () => void;
}) {
  const { t } = useTranslation('tickers');
  const formats = useFormats();
  const { work, progress, failure } = bench.state;
  const total = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const current = progress?.part ?? -1;
  const before = parts.slice(0, Math.max(0, current)).reduce((sum, { bytes }) => sum + bytes.length, 0);
  const stateOf = (index: number): string => {
    if (index < current) return t('verified');
    if (index > current || progress === null) return t('waiting');
    return formats.percent(progress.done / progress.total);
  };
  return (
    <>
      <header>
        <h2>{t('write_title')}</h2>
        <p className="muted">{t('write_text')}</p>
      </header>
      {failure && <Failure failure={failure} />}
      <Transfer label={t('written')} done={before + (progress?.done ?? 0)} total={total} progress={progress} />
      <ul className="panel lines">
        {parts.map(({ name, address }, index) => (
          <li key={address} className="ticker-part">
            <span className="truncate">{name}</span>
            <span className="mono">{formatAddress(address)}</span>
            <span className="num">{stateOf(index)}</span>
          </li>
        ))}
      </ul>
      <div className="ticker-foot">
        {work === 'write' ? (
          <Button onClick={bench.stop}>{t('stop')}</Button>
        ) : (
          <Button variant="primary" onClick={onBack}>
            {t('retry')}
          </Button>
        )}
      </div>
    </>
  );
}

/** The last step: what was written. */
export function DoneStep({
  state: { written, isSlowed },
  onAnother,
  onContinue,
}: {
  state: BenchState;
  onAnother: () => void;
  onContinue: () => void;
}) {
  const { t } = useTranslation('tickers');
  const formats = useFormats();
  return (
    <>
      <header role="status">
        <h2>{t('done_title')}</h2>
        <p className="muted">{t('done_text')}</p>
      </header>
      <Notice tone="ok" glyph={CircleCheck}>
        {t('done_help')}
      </Notice>
      {isSlowed && <Notice tone="warn">{t('slowed')}</Notice>}
      <Panel title={t('written')}>
        <ul className="lines">
          {(written ?? []).map(({ name, address, bytes, md5 }) => (
            <li key={address} className="ticker-part">
              <span className="truncate">{name}</span>
              <span className="mono">{formatAddress(address)}</span>
              <span className="num" title={`MD5 ${md5}`}>
                {t('part_bytes', { size: formats.count(bytes) })} · {t('verified')}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      <div className="ticker-foot">
        <Button onClick={onAnother}>{t('another')}</Button>
        <span className="push">
          <Button variant="primary" size="large" onClick={onContinue}>
            {t('wifi_setup')}
          </Button>
        </span>
      </div>
    </>
  );
}
