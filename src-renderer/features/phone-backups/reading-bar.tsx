import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { IndexJob } from '../../../src-shared/contract/phone-backups/service.ts';
import { Button } from '../../ui/button.tsx';
import { Meter } from '../../ui/dots.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { PHONE_KEY } from './source/open-backups.ts';
import type { BackupSource, QueryName } from './source/source.ts';
import type { PhoneLabels } from './labels.ts';

const STATE_KEYS: Partial<Record<IndexJob['status'], 'reading_failed' | 'reading_stopped'>> = {
  failed: 'reading_failed',
  cancelled: 'reading_stopped',
};

interface Props {
  source: BackupSource;
  job: IndexJob | undefined;
  labels: PhoneLabels;
}

/**
 * The progress of reading the artifacts: starts and stops it, and shows the current artifact and its number of rows.
 */
export function ReadingBar({ source, job, labels }: Props) {
  const client = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  const act = async (name: Extract<QueryName, 'index' | 'indexCancel'>, body: object = {}): Promise<void> => {
    setFailure(null);
    try {
      client.setQueryData([PHONE_KEY, source.device.id, 'indexState'], await source.query(name, { body } as never));
    } catch (error) {
      setFailure(error);
    }
  };
  const start = (): void => void act('index');
  if (failure !== null)
    return <ErrorState message={labels.error(failure)} retryLabel={labels.t('retry')} onRetry={start} />;
  if (!job) return null;
  if (job.status === 'running' || job.status === 'queued')
    return <JobProgress job={job} onStop={() => void act('indexCancel')} labels={labels} />;
  if (job.status === 'done')
    return <JobResult job={job} onRestart={source.kind === 'service' ? start : null} labels={labels} />;
  const isStopped = job.status === 'cancelled';
  return (
    <div className="phone-reading stack">
      <span className="cap">{labels.t(STATE_KEYS[job.status] ?? 'not_read')}</span>
      <Button size="small" onClick={() => void act('index', isStopped ? { resume: true } : {})}>
        {isStopped ? labels.t('read_on') : labels.t('read_now')}
      </Button>
    </div>
  );
}

function JobProgress({ job, onStop, labels }: { job: IndexJob; onStop: () => void; labels: PhoneLabels }) {
  const { t, formats } = labels;
  const running = job.artifacts.find(({ status }) => status === 'running');
  const doneCount = job.artifacts.filter(({ status }) => status !== 'waiting' && status !== 'running').length;
  const runningShare = running?.total ? Math.min(1, running.rows / running.total) : 0;
  const text = running
    ? t('reading', { name: t(`artifact.${running.artifact}`), rows: formats.count(running.rows) })
    : t('reading_soon');
  return (
    <div className="phone-reading stack">
      <Meter share={(doneCount + runningShare) / Math.max(1, job.artifacts.length)} label={text} />
      <div className="row">
        <span className="cap num truncate">{text}</span>
        <Button size="small" variant="quiet" className="push" onClick={onStop}>
          {t('stop')}
        </Button>
      </div>
    </div>
  );
}

interface ResultProps {
  job: IndexJob;
  /** Null if the artifacts can't be read again. */
  onRestart: (() => void) | null;
  labels: PhoneLabels;
}

/** Lists what could not be read. */
function JobResult({ job, onRestart, labels: { t } }: ResultProps) {
  const failed = job.artifacts.filter(({ status }) => status === 'failed');
  const skippedCount = job.artifacts.reduce((sum, { skipped }) => sum + skipped, 0);
  return (
    <div className="phone-reading stack">
      {failed.length > 0 && (
        <span className="cap">
          {t('could_not_read', { names: failed.map(({ artifact }) => t(`artifact.${artifact}`)).join(', ') })}
        </span>
      )}
      {skippedCount > 0 && <span className="cap">{t('skipped', { count: skippedCount })}</span>}
      {onRestart && (
        <Button size="small" variant="quiet" onClick={onRestart}>
          {t('read_again')}
        </Button>
      )}
    </div>
  );
}
