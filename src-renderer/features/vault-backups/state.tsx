import { CircleCheck, HardDrive } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { BackupOverview } from '../../../src-shared/contract/vault-backups.ts';
import { storedFailure } from '../../client/stored-failure.ts';
import { now } from '../../client/clock.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import { useToasts } from '../../client/toasts.tsx';
import { shareDone } from './progress.ts';
import { useBackupAction } from './queries.ts';

const TARGET_PROBLEMS: Partial<
  Record<BackupOverview['target']['state'], 'target_absent' | 'target_foreign' | 'target_read_only'>
> = { absent: 'target_absent', foreign: 'target_foreign', read_only: 'target_read_only' };

/** When a backup was last verified, what is running, and when the next one is due. */
export function StatePanel({ overview }: { overview: BackupOverview }) {
  const { t } = useTranslation('vault_backups');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const { showError } = useToasts();
  const act = useBackupAction(showError);
  const { target, plan, running, last_verified_at: verifiedAt, last_drill: drill, last_error: lastError } = overview;
  const folder = plan.folder ?? '';
  const problemKey = TARGET_PROBLEMS[target.state];
  const problem = problemKey ? t(problemKey, { folder }) : null;
  return (
    <Panel
      title={t('state')}
      aside={target.free_bytes === null ? undefined : t('free', { size: formats.bytes(target.free_bytes) })}
      actions={
        <RunButton overview={overview} isPending={act.isPending} onRun={(action) => act.mutate({ do: action })} />
      }
    >
      <div className="panel-body stack backup-state">
        {problem && (
          <Notice tone="warn" glyph={HardDrive}>
            {problem}
          </Notice>
        )}
        {verifiedAt ? (
          <Notice tone="ok" glyph={CircleCheck}>
            <span title={formats.momentExact(verifiedAt)}>
              {t('last_verified', { when: formats.moment(verifiedAt) })}
            </span>
          </Notice>
        ) : (
          <Notice tone="warn">
            {t('never')}
            {target.state === 'unset' && ` ${t('never_text')}`}
          </Notice>
        )}
        {running && <Progress running={running} />}
        {lastError && !running && (
          <Notice tone="bad">
            {t('last_error', { why: vocabulary.error(storedFailure(lastError, 'backup.failed')) })}
          </Notice>
        )}
        {drill && <DrillLine overview={overview} drill={drill} />}
        <NextLine overview={overview} />
      </div>
    </Panel>
  );
}

function RunButton({
  overview: { running, target },
  isPending,
  onRun,
}: {
  overview: BackupOverview;
  isPending: boolean;
  onRun: (action: 'run' | 'stop') => void;
}) {
  const { t } = useTranslation('vault_backups');
  const className = target.free_bytes === null ? 'push' : undefined;
  const isStoppable = !isPending && running?.phase !== 'tidy';
  if (running)
    return (
      <Button size="small" className={className} disabled={!isStoppable} onClick={() => onRun('stop')}>
        {t('stop')}
      </Button>
    );
  return (
    <Button
      size="small"
      variant="primary"
      className={className}
      disabled={isPending || target.state !== 'ready'}
      onClick={() => onRun('run')}
    >
      {t('run')}
    </Button>
  );
}

/** The result of the last test restore. */
function DrillLine({
  overview,
  drill,
}: {
  overview: BackupOverview;
  drill: NonNullable<BackupOverview['last_drill']>;
}) {
  const { t } = useTranslation('vault_backups');
  const formats = useFormats();
  return (
    <p className={drill.ok ? 'muted' : 'bad'}>
      {t(drill.ok ? 'drill_ok' : 'drill_bad', {
        when: formats.moment(timeOf(overview, drill.backup_id) ?? drill.at),
        at: formats.moment(drill.at),
        documents: formats.count(drill.documents),
        count: drill.faults,
      })}
    </p>
  );
}

function Progress({ running }: { running: NonNullable<BackupOverview['running']> }) {
  const { t } = useTranslation('vault_backups');
  const formats = useFormats();
  const share = shareDone(running);
  return (
    <div className="stack backup-progress">
      <span className="row">
        <span className="strong">{t(`task_${running.task}`)}</span>
        <span className="cap num push">
          {t('progress', {
            phase: t(`phase_${running.phase}`),
            done: formats.count(running.done),
            total: formats.count(running.total),
          })}
        </span>
      </span>
      <div
        className="meter"
        role="progressbar"
        aria-label={t(`task_${running.task}`)}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}

function NextLine({ overview: { next_at: next, target } }: { overview: BackupOverview }) {
  const { t } = useTranslation('vault_backups');
  const formats = useFormats();
  if (next === null) return null;
  const isDue = Date.parse(`${next}Z`) <= now();
  return (
    <p className="cap">
      {!isDue ? t('next', { when: formats.moment(next) }) : t(target.state === 'ready' ? 'next_soon' : 'next_now')}
    </p>
  );
}

const timeOf = ({ items }: BackupOverview, id: number): string | undefined =>
  items.find((item) => item.id === id)?.started_at;
