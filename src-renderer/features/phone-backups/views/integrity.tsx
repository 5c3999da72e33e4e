import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { INTEGRITY_FAULTS, type IntegrityCheck } from '../../../../src-shared/contract/phone-backups/service.ts';
import { Button } from '../../../ui/button.tsx';
import { Meter } from '../../../ui/dots.tsx';
import { useAnnounce } from '../../../ui/live-region.tsx';
import { ErrorState, Notice, Skeleton } from '../../../ui/states.tsx';
import type { ViewProps } from './view-props.ts';
import type { PhoneLabels } from '../labels.ts';
import { PHONE_KEY } from '../source/open-backups.ts';
import { DirectError, type BackupSource } from '../source/source.ts';
import { Findings } from './findings.tsx';

/** How often to poll the progress of a running check. */
const POLL_MS = 400;

/** The state of the integrity check of a backup, and functions to start and stop it. */
function useIntegrityCheck(source: BackupSource) {
  const client = useQueryClient();
  const queryKey = [PHONE_KEY, source.device.id, 'integrityState'];
  const {
    data: check,
    error,
    refetch,
  } = useQuery({
    queryKey,
    retry: false,
    queryFn: ({ signal }) => source.query('integrityState', {}, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_MS : false),
  });
  const [failure, setFailure] = useState<unknown>(null);
  const act = async (name: 'integrity' | 'integrityCancel'): Promise<void> => {
    setFailure(null);
    try {
      if (name === 'integrity') client.removeQueries({ queryKey: [PHONE_KEY, source.device.id, 'integrityFindings'] });
      client.setQueryData(queryKey, await source.query(name, {}));
    } catch (cause) {
      setFailure(cause);
    }
  };
  const start = (): void => void act('integrity');
  return {
    check,
    error: failure ?? error,
    start,
    stop: (): void => void act('integrityCancel'),
    retry: failure === null ? (): void => void refetch() : start,
  };
}

/** Compares the manifest with the files on request; shows progress, and what to do about the faults. */
export function Integrity({ source, labels }: ViewProps) {
  const { t } = labels;
  const announce = useAnnounce();
  const { check, error, start, stop, retry } = useIntegrityCheck(source);
  const outcome = check === undefined ? '' : outcomeOf(check, labels);
  useEffect(() => announce(outcome), [announce, outcome]);
  return (
    <section className="phone-integrity" aria-labelledby="phone-integrity-title">
      <div className="row">
        <h3 id="phone-integrity-title">{t('check_title')}</h3>
        {check && <CheckButton check={check} onStart={start} onStop={stop} labels={labels} />}
      </div>
      <p className="muted">{t('check_text')}</p>
      {error !== null && <ErrorState message={labels.error(error)} retryLabel={t('retry')} onRetry={retry} />}
      {!check && error === null && <Skeleton height={32} />}
      {check?.status === 'running' && <CheckProgress check={check} labels={labels} />}
      {check?.status === 'failed' && (
        <Notice tone="bad">{labels.error(new DirectError(check.failure ?? 'fault'))}</Notice>
      )}
      {check?.status === 'cancelled' && <p className="cap">{t('check_stopped')}</p>}
      {check?.status === 'done' && <Result check={check} source={source} labels={labels} />}
    </section>
  );
}

interface ButtonProps {
  check: IntegrityCheck;
  onStart: () => void;
  onStop: () => void;
  labels: PhoneLabels;
}

function CheckButton({ check, onStart, onStop, labels: { t } }: ButtonProps) {
  if (check.status === 'running')
    return (
      <Button size="small" className="push" onClick={onStop}>
        {t('stop')}
      </Button>
    );
  const isFirst = check.status === 'idle';
  return (
    <Button size="small" className="push" variant={isFirst ? 'primary' : 'plain'} glyph={ShieldCheck} onClick={onStart}>
      {t(isFirst ? 'check_now' : 'check_again')}
    </Button>
  );
}

function CheckProgress({ check, labels: { t, formats } }: { check: IntegrityCheck; labels: PhoneLabels }) {
  const { files, total_files: total } = check;
  const text = t('checking', { done: formats.count(files), total: formats.count(total) });
  return (
    <div className="stack phone-progress">
      <Meter share={total === 0 ? 0 : files / total} label={text} />
      <span className="cap num">{text}</span>
    </div>
  );
}

function outcomeOf(check: IntegrityCheck, labels: PhoneLabels): string {
  if (check.status === 'done') return verdictOf(check, labels);
  return check.status === 'cancelled' ? labels.t('check_stopped') : '';
}

const faultsOf = ({ report }: IntegrityCheck) =>
  INTEGRITY_FAULTS.flatMap((fault) => {
    const count = report?.counts[fault] ?? 0;
    return count > 0 ? [{ fault, count }] : [];
  });
const verdictOf = (check: IntegrityCheck, { t, formats }: PhoneLabels): string => {
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
        <Findings faults={faults} listedCount={check.report?.listed ?? 0} source={source} labels={labels} />
      )}
    </>
  );
}
