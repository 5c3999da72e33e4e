import { Usb } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { BoardFacts } from '../../../src-shared/ticker/flash/connection.ts';
import type { PortIds } from '../../../src-shared/ticker/port.ts';
import { usbName } from '../../../src-shared/ticker/usb-names.ts';
import { useFormats } from '../../client/format.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SkeletonLines } from '../../ui/states.tsx';
import { Failure } from './failure.tsx';
import { Samples } from './samples.tsx';
import type { useBench } from './use-bench.ts';

type BenchHandle = ReturnType<typeof useBench>;

const hex = (id: number): string => id.toString(16).padStart(4, '0');

function cableOf({ usbVendorId, usbProductId }: PortIds): string | null {
  if (usbVendorId === undefined || usbProductId === undefined) return null;
  const [vendor, product] = [hex(usbVendorId), hex(usbProductId)];
  return [usbName(vendor, product), `USB ${vendor}:${product}`].filter(Boolean).join(', ');
}

/** The first step: select a port, and see which board is on it. */
export function BoardStep({
  bench,
  onContinue,
  onAnother,
  onConfigure,
}: {
  bench: BenchHandle;
  onContinue: () => void;
  onAnother: () => void;
  /** The board runs Hearth's firmware already. */
  onConfigure: () => void;
}) {
  const { t } = useTranslation('tickers');
  const { facts, ids, work, failure } = bench.state;
  const isConnecting = work === 'connect';
  return (
    <>
      <header>
        <h2>{facts && !isConnecting ? t('board_title', { chip: facts.chip.label }) : t('connect_title')}</h2>
        <p className="muted">{facts && !isConnecting ? t('board_text') : t('connect_text')}</p>
      </header>
      {failure && <Failure failure={failure} />}
      {!facts && !isConnecting && !failure && <Samples />}
      {isConnecting && <SkeletonLines count={4} label={t('connecting')} />}
      {facts && !isConnecting && <Facts facts={facts} ids={ids} />}
      <div className="ticker-foot">
        {facts && !isConnecting && <Button onClick={onAnother}>{t('another')}</Button>}
        {!facts && !isConnecting && <Button onClick={onConfigure}>{t('configure')}</Button>}
        <span className="push">
          {facts && !isConnecting ? (
            <Button variant="primary" size="large" onClick={onContinue}>
              {t('continue')}
            </Button>
          ) : (
            <Button
              variant="primary"
              size="large"
              glyph={Usb}
              disabled={isConnecting}
              onClick={() => void bench.connect()}
            >
              {isConnecting ? t('connecting') : t('connect')}
            </Button>
          )}
        </span>
      </div>
    </>
  );
}

function Facts({ facts, ids }: { facts: BoardFacts; ids: PortIds }) {
  const { t } = useTranslation('tickers');
  const formats = useFormats();
  const cable = cableOf(ids);
  const labels = facts.partitions?.map(({ label }) => label).join(', ');
  return (
    <Panel title={t('board')}>
      <dl className="panel-body ticker-facts">
        <dt>{t('chip')}</dt>
        <dd>{t('crystal', { description: facts.description, megahertz: facts.crystalMegahertz })}</dd>
        <dt>{t('flash')}</dt>
        <dd className="num">{formats.withUnit(facts.flashBytes / 1024 / 1024, 'MB')}</dd>
        <dt>{t('mac')}</dt>
        <dd className="mono">{facts.mac}</dd>
        {cable !== null && (
          <>
            <dt>{t('cable')}</dt>
            <dd>{cable}</dd>
          </>
        )}
        <dt>{t('table')}</dt>
        <dd>{labels ?? t('table_none')}</dd>
      </dl>
    </Panel>
  );
}
