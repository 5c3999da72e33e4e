import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { INTEGRITY_FAULTS, type IntegrityCheck } from '../../../../src-shared/contract/phone-backups/service.ts';
import { Button } from '../../../ui/button.tsx';
import { Meter } from '../../../ui/dots.tsx';
import { useAnnounce } from '../../../ui/live-region.tsx';
import { ErrorState, Notice, Skeleton } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import { DirectError } from '../source/source.ts';
import { PHONE_KEY } from '../source/open-backups.ts';
import { Findings } from './findings.tsx';

/** How often to poll the progress of a running check. */
const POLL_MS = 400;

/**
 * Compares the manifest with the files on request; shows progress, can be stopped, and says what to do about the
 * faults.
 */
export function Integrity({ source, labels }: ViewProps) {
  const { t, formats } = labels;
  const client = useQueryClient();
  const announce = useAnnounce();
  const key = [PHONE_KEY, source.device.id, 'integrityState'];
  const {
    data: check,
    error,
    refetch,
  } = useQuery({
    queryKey: key,
    retry: false,
    queryFn: ({ signal }) => source.query('integrityState', {}, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
  });
  const [failure, setFailure] = useState<unknown>(null);
  const act = async (name: 'integrity' | 'integrityCancel'): Promise<void> => {
    setFailure(null);
    try {
      if (name === 'integrity') client.removeQueries({ queryKey: [PHONE_KEY, source.device.id, 'integrityFindings'] });
      client.setQueryData(key, await source.query(name, {}));
    } catch (cause) {
      setFailure(cause);
    }
  };
  const outcome = check === undefined ? '' : outcomeOf(check, labels);
  useEffect(() => announce(outcome), [announce, outcome]);
  const isRunning = check?.status === 'running';
  const text = isRunning
    ? t('checking', { done: formats.count(check.files), total: formats.count(check.total_files) })
    : '';
  return (
    <section className="phone-integrity" aria-labelledby="phone-integrity-title">
      <div className="row">
        <h3 id="phone-integrity-title">{t('check_title')}</h3>
        {check && !isRunning && (
          <Button
            size="small"
            className="push"
            variant={check.status === 'idle' ? 'primary' : 'plain'}
            glyph={ShieldCheck}
            onClick={() => void act('integrity')}
          >
            {t(check.status === 'idle' ? 'check_now' : 'check_again')}
          </Button>
        )}
        {isRunning && (
          <Button size="small" className="push" onClick={() => void act('integrityCancel')}>
            {t('stop')}
          </Button>
        )}
      </div>
      <p className="muted">{t('check_text')}</p>
      {(failure ?? error) !== null && (
        <ErrorState
          message={labels.error(failure ?? error)}
          retryLabel={t('retry')}
          onRetry={() => void (failure === null ? refetch() : act('integrity'))}
        />
      )}
      {!check && !error && <Skeleton height={32} />}
      {isRunning && (
        <div className="stack phone-progress">
          <Meter share={check.total_files === 0 ? 0 : check.files / check.total_files} label={text} />
          <span className="cap num">{text}</span>
        </div>
      )}
      {check?.status === 'failed' && (
        <Notice tone="bad">{labels.error(new DirectError(check.failure ?? 'fault'))}</Notice>
      )}
      {check?.status === 'cancelled' && <p className="cap">{t('check_stopped')}</p>}
      {check?.status === 'done' && <Result check={check} source={source} labels={labels} />}
    </section>
  );
}

function outcomeOf(check: IntegrityCheck, labels: ViewProps['labels']): string {
  if (check.status === 'done') return verdictOf(check, labels);
  return check.status === 'cancelled' ? labels.t('check_stopped') : '';
}

const faultsOf = ({ report }: IntegrityCheck) =>
  INTEGRITY_FAULTS.flatMap((fault) => {
    const count = report?.counts[fault] ?? 0;
    return count > 0 ? [{ fault, count }] : [];
  });
const verdictOf = (check: IntegrityCheck, { t, formats }: ViewProps['labels']): string => {
  const count = faultsOf(check).reduce((sum, each) => sum + each.count, 0),
    files = formats.count(check.report?.files ?? 0);
  return count === 0 ? t('check_fine', { files }) : t('check_faults', { count, number: formats.count(count), files });
};

function Result({ check, source, labels }: ViewProps & { check: IntegrityCheck }) {
  const { t, formats } = labels;
  const faults = faultsOf(check),
    unlisted = check.report?.unlisted ?? 0;
  return (
    <>
      <Notice tone={faults.length === 0 ? 'ok' : 'warn'} {...(faults.length === 0 && { glyph: ShieldCheck })}>
        {verdictOf(check, labels)}
      </Notice>
      {faults.length > 0 && (
        <dl className="phone-faults">
          {faults.map(({ fault, count }) => (
            <div key={fault}>
              <dt>
                <strong>{t(`fault.${fault}`)}</strong> <span className="num">{formats.count(count)}</span>
              </dt>
              <dd className="muted">{t(`fault_help.${fault}`)}</dd>
            </div>
          ))}
        </dl>
      )}
      {unlisted > 0 && <p className="cap">{t('unlisted', { count: unlisted, number: formats.count(unlisted) })}</p>}
      {faults.length > 0 && (
        <Findings faults={faults} listed={check.report?.listed ?? 0} source={source} labels={labels} />
      )}
    </>
  );
}
