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

/** How far reading the artifacts is: start it, watch it by artifact and row, stop it. */
export function ReadingBar({
  source,
  job,
  labels,
}: {
  source: BackupSource;
  job: IndexJob | undefined;
  labels: PhoneLabels;
}) {
  const { t, formats } = labels;
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
  if (failure !== null)
    return <ErrorState message={labels.error(failure)} retryLabel={t('retry')} onRetry={() => void act('index')} />;
  if (!job) return null;
  const running = job.artifacts.find(({ status }) => status === 'running');
  if (job.status === 'running' || job.status === 'queued') {
    const done = job.artifacts.filter(({ status }) => status !== 'waiting' && status !== 'running').length;
    const share =
      (done + (running?.total ? Math.min(1, running.rows / running.total) : 0)) / Math.max(1, job.artifacts.length);
    const text = running
      ? t('reading', { name: t(`artifact.${running.artifact}`), rows: formats.count(running.rows) })
      : t('reading_soon');
    return (
      <div className="phone-reading stack">
        <Meter share={share} label={text} />
        <div className="row">
          <span className="cap num truncate">{text}</span>
          <Button size="small" variant="quiet" className="push" onClick={() => void act('indexCancel')}>
            {t('stop')}
          </Button>
        </div>
      </div>
    );
  }
  const failed = job.artifacts.filter(({ status }) => status === 'failed'),
    skipped = job.artifacts.reduce((sum, each) => sum + each.skipped, 0);
  if (job.status === 'done') {
    return (
      <div className="phone-reading stack">
        {failed.length > 0 && (
          <span className="cap">
            {t('could_not_read', { names: failed.map(({ artifact }) => t(`artifact.${artifact}`)).join(', ') })}
          </span>
        )}
        {skipped > 0 && <span className="cap">{t('skipped', { count: skipped })}</span>}
        {source.kind === 'service' && (
          <Button size="small" variant="quiet" onClick={() => void act('index')}>
            {t('read_again')}
          </Button>
        )}
      </div>
    );
  }
  return (
    <div className="phone-reading stack">
      <span className="cap">{t(STATE_KEYS[job.status] ?? 'not_read')}</span>
      <Button size="small" onClick={() => void act('index', job.status === 'cancelled' ? { resume: true } : {})}>
        {job.status === 'cancelled' ? t('read_on') : t('read_now')}
      </Button>
    </div>
  );
}
