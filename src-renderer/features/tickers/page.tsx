import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FirmwarePart } from '../../../src-shared/ticker/flash/check-images.ts';
import { Button } from '../../ui/button.tsx';
import { Notice, SkeletonLines } from '../../ui/states.tsx';
import { BackupStep } from './backup-step.tsx';
import { BoardStep } from './board-step.tsx';
import { DeviceStep } from './device-step.tsx';
import { Failure } from './failure.tsx';
import { FirmwareStep } from './firmware-step.tsx';
import { currentPort, heldPort } from './held-port.ts';
import { useBench } from './use-bench.ts';
import type { SettingsDraft } from './settings-draft.ts';
import { useLine } from './use-line.ts';
import { WifiStep } from './wifi-step.tsx';
import { DoneStep, WriteStep } from './write-step.tsx';
import './tickers.css';

const STEPS = ['board', 'backup', 'firmware', 'write', 'done', 'wifi', 'device'] as const;
type Step = (typeof STEPS)[number];

/** Sets up a board on a cable: recognize it, back it up, write its firmware, join the Wi-Fi, configure it. */
export default function TickersPage() {
  const { t } = useTranslation('tickers');
  const [step, setStep] = useState<Step>('board');
  const [parts, setParts] = useState<readonly FirmwarePart[]>([]);
  const bench = useBench();
  if (!navigator.serial)
    return (
      <div className="page">
        <h1>{t('title')}</h1>
        <Notice tone="warn">{t('unsupported')}</Notice>
        <Link to="/tickers/network">{t('network_page')}</Link>
      </div>
    );

  const startOver = (): void => {
    bench.reset();
    setParts([]);
    setStep('board');
  };
  const write = async (chosen: readonly FirmwarePart[], eraseAll: boolean): Promise<void> => {
    setParts(chosen);
    setStep('write');
    if (await bench.write(chosen, eraseAll)) setStep('done');
  };
  // A board that speaks USB itself may have left and come back with its new program.
  const provision = async (): Promise<void> => {
    await currentPort().catch(() => null);
    setStep('wifi');
  };
  const configure = async (): Promise<void> => {
    if (await bench.select()) setStep('device');
  };
  return (
    <div className="ticker-bench">
      <Steps current={step} />
      <div className="ticker-main">
        {step === 'board' && (
          <BoardStep
            bench={bench}
            onContinue={() => setStep('backup')}
            onAnother={startOver}
            onConfigure={() => void configure()}
          />
        )}
        {step === 'backup' && <BackupStep bench={bench} onContinue={() => setStep('firmware')} />}
        {step === 'firmware' && (
          <FirmwareStep
            state={bench.state}
            onBack={() => setStep('backup')}
            onWrite={(chosen, eraseAll) => void write(chosen, eraseAll)}
          />
        )}
        {step === 'write' && <WriteStep bench={bench} parts={parts} onBack={() => setStep('firmware')} />}
        {step === 'done' && <DoneStep state={bench.state} onAnother={startOver} onContinue={() => void provision()} />}
        {(step === 'wifi' || step === 'device') && (
          <RunningDevice isNew={step === 'wifi'} onContinue={() => setStep('device')} onAnother={startOver} />
        )}
      </div>
    </div>
  );
}

/** The steps after writing, on the line of the running program. */
function RunningDevice({
  isNew,
  onContinue,
  onAnother,
}: {
  isNew: boolean;
  onContinue: () => void;
  onAnother: () => void;
}) {
  const { t } = useTranslation('tickers');
  const { state, show, retry } = useLine(heldPort());
  const [draft, setDraft] = useState<SettingsDraft | null>(null);
  if (state.failure !== null)
    return (
      <>
        <Failure failure={state.failure} />
        <div className="ticker-foot">
          <Button onClick={onAnother}>{t('another')}</Button>
          <Button variant="primary" onClick={() => void retry()}>
            {t('retry')}
          </Button>
        </div>
      </>
    );
  if (state.line === null) return <SkeletonLines count={4} label={t('device_connecting')} />;
  const { line } = state;
  // The network that was joined is among the settings now.
  const goOn = async (): Promise<void> => {
    show({ settings: await line.settings().catch(() => state.settings) });
    onContinue();
  };
  if (isNew) return <WifiStep line={line} onContinue={() => void goOn()} />;
  return <DeviceStep state={state} draft={draft} show={show} onDraft={setDraft} />;
}

function Steps({ current }: { current: Step }) {
  const { t } = useTranslation('tickers');
  const at = STEPS.indexOf(current);
  return (
    <aside className="ticker-steps" aria-label={t('steps')}>
      <h1>{t('title')}</h1>
      <ol>
        {STEPS.map((step, index) => (
          <li key={step} data-done={index < at || undefined} aria-current={index === at ? 'step' : undefined}>
            <i aria-hidden="true">{index + 1}</i>
            <span>{t(`step_${step}`)}</span>
          </li>
        ))}
      </ol>
      <p className="cap">{t('unplug')}</p>
      <Link to="/tickers/network" className="ticker-elsewhere">
        {t('network_page')}
      </Link>
      <Link to="/tickers/prices" className="ticker-elsewhere">
        {t('source_page')}
      </Link>
    </aside>
  );
}
