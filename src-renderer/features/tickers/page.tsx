import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FirmwarePart } from '../../../src-shared/ticker/flash/check-images.ts';
import { Notice } from '../../ui/states.tsx';
import { BackupStep } from './backup-step.tsx';
import { BoardStep } from './board-step.tsx';
import { FirmwareStep } from './firmware-step.tsx';
import { useBench } from './use-bench.ts';
import { DoneStep, WriteStep } from './write-step.tsx';
import './tickers.css';

const STEPS = ['board', 'backup', 'firmware', 'write', 'done'] as const;
type Step = (typeof STEPS)[number];

/** Sets up a board on a cable: recognize it, back it up, choose its firmware, write it. */
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
  return (
    <div className="ticker-bench">
      <Steps current={step} />
      <div className="ticker-main">
        {step === 'board' && <BoardStep bench={bench} onContinue={() => setStep('backup')} onAnother={startOver} />}
        {step === 'backup' && <BackupStep bench={bench} onContinue={() => setStep('firmware')} />}
        {step === 'firmware' && (
          <FirmwareStep
            state={bench.state}
            onBack={() => setStep('backup')}
            onWrite={(chosen, eraseAll) => void write(chosen, eraseAll)}
          />
        )}
        {step === 'write' && <WriteStep bench={bench} parts={parts} onBack={() => setStep('firmware')} />}
        {step === 'done' && <DoneStep state={bench.state} onAnother={startOver} />}
      </div>
    </div>
  );
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
    </aside>
  );
}
