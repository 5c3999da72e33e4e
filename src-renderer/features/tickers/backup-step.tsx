import { CircleCheck, Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../client/format.ts';
import { saveFile } from '../../client/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';
import { Failure } from './failure.tsx';
import { Transfer } from './transfer.tsx';
import type { useBench } from './use-bench.ts';

type BenchHandle = ReturnType<typeof useBench>;

/** The second step: read everything that is on the board into a file. It goes on where it stopped. */
export function BackupStep({ bench, onContinue }: { bench: BenchHandle; onContinue: () => void }) {
  const { t } = useTranslation('tickers');
  const formats = useFormats();
  const { facts, backup, work, progress, failure, isSlowed } = bench.state;
  const isReading = work === 'read';
  const total = facts?.flashBytes ?? 0;
  const kept = backup?.kept ?? 0;
  const isDone = total > 0 && kept === total && !isReading;
  const save = (): void =>
    saveFile(
      new Blob([Uint8Array.from(backup!.bytes)]),
      `ticker-${facts!.chip.name}-${backup!.mac.replaceAll(':', '')}.bin`,
    );
  return (
    <>
      <header>
        <h2>{t('backup_title')}</h2>
        <p className="muted">{t('backup_text')}</p>
      </header>
      {failure && <Failure failure={failure} />}
      {(isReading || kept > 0) && <Transfer label={t('read')} done={kept} total={total} progress={progress} />}
      {isSlowed && <Notice tone="warn">{t('slowed')}</Notice>}
      <div role="status">
        {isDone && (
          <Notice tone="ok" glyph={CircleCheck}>
            {t('backup_done')}
          </Notice>
        )}
      </div>
      <div className="ticker-foot">
        {isReading && <Button onClick={bench.stop}>{t('stop')}</Button>}
        {!isReading && !isDone && (
          <Button variant="quiet" onClick={onContinue}>
            {t('backup_skip')}
          </Button>
        )}
        <span className="push row">
          {isDone && (
            <Button glyph={Download} onClick={save}>
              {t('backup_save')}
            </Button>
          )}
          {isDone ? (
            <Button variant="primary" size="large" onClick={onContinue}>
              {t('continue')}
            </Button>
          ) : (
            <Button variant="primary" size="large" disabled={isReading} onClick={() => void bench.read()}>
              {kept > 0 ? t('backup_resume', { done: formats.bytes(kept) }) : t('backup_start')}
            </Button>
          )}
        </span>
      </div>
    </>
  );
}
