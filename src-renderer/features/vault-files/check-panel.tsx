import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { VaultCheck, VaultFault } from '../../../src-shared/contract/vault-files.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useMe } from '../../client/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../ui/states.tsx';
import { useToasts } from '../../client/toasts.tsx';
import { useCheck, useCheckAct } from './queries.ts';

/** Maximum number of listed files; more only occur if a disk is lost. */
const MAX_ROWS = 100;

/** The result of the last integrity check, and a button to run one. */
export function CheckPanel() {
  const { t } = useTranslation('vault_files');
  const vocabulary = useVocabulary();
  const { showError } = useToasts();
  const isAdmin = useMe()?.role === 'admin';
  const { data, error, refetch } = useCheck();
  const act = useCheckAct(showError);
  const isRunning = data?.check?.status === 'running';
  return (
    <Panel
      title={t('check')}
      actions={
        isAdmin &&
        data &&
        (isRunning ? (
          <Button size="small" className="push" disabled={act.isPending} onClick={() => act.mutate('stopCheck')}>
            {t('check_stop')}
          </Button>
        ) : (
          <Button size="small" className="push" disabled={act.isPending} onClick={() => act.mutate('startCheck')}>
            {t('check_now')}
          </Button>
        ))
      }
    >
      <div className="panel-body stack vault-check">
        {error && !data && (
          <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
        )}
        {!data && !error && <SkeletonLines count={1} label={t('loading')} />}
        <p className="cap">{t('check_weekly')}</p>
        {data &&
          (data.check ? (
            <Outcome check={data.check} lastWhole={data.last_whole_at} />
          ) : (
            <p className="muted">{t('check_never')}</p>
          ))}
      </div>
    </Panel>
  );
}

function Outcome({ check, lastWhole }: { check: VaultCheck; lastWhole: string | null }) {
  const { t } = useTranslation('vault_files');
  const formats = useFormats();
  const when = check.finished_at === null ? '' : formats.moment(check.finished_at);
  const share = check.total > 0 ? Math.min(1, check.documents / check.total) : 0;
  return (
    <>
      {check.status === 'running' && (
        <div className="stack vault-progress">
          <span className="row">
            <span>
              {t('check_running', { done: formats.count(check.documents), total: formats.count(check.total) })}
            </span>
            <span className="cap num push">
              {t('check_bytes', { files: formats.count(check.files), size: formats.bytes(check.bytes) })}
            </span>
          </span>
          <div
            className="meter"
            role="progressbar"
            aria-label={t('check')}
            aria-valuenow={Math.round(share * 100)}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <i style={{ width: `${share * 100}%` }} />
          </div>
        </div>
      )}
      {check.status === 'done' && check.fault_count === 0 && (
        <Notice tone="ok" glyph={CircleCheck}>
          {t('check_whole', { count: check.files, when })}
        </Notice>
      )}
      {check.status === 'cancelled' && check.fault_count === 0 && (
        <p className="muted">{t('check_cancelled', { when })}</p>
      )}
      {check.fault_count > 0 && (
        <>
          <Notice tone="warn">
            {t('check_faults', { count: check.fault_count, when })}
            {lastWhole !== null && ` ${t('check_whole_before', { when: formats.moment(lastWhole) })}`}
          </Notice>
          <ul className="lines vault-faults">
            {check.faults.slice(0, MAX_ROWS).map((fault, index) => (
              <FaultLine key={`${fault.path ?? ''}-${index}`} fault={fault} />
            ))}
            {check.faults.length > MAX_ROWS && (
              <li className="cap">{t('faults_more', { count: check.faults.length - MAX_ROWS })}</li>
            )}
          </ul>
        </>
      )}
    </>
  );
}

function FaultLine({ fault: { kind, path, document_id: id, same_as: twin } }: { fault: VaultFault }) {
  const { t } = useTranslation('vault_files');
  const isInTree = path !== null && kind !== 'database' && kind !== 'lost_trash' && kind !== 'missing';
  return (
    <li>
      <span>{t(`fault_${kind}`)}</span>
      <span className="mono truncate" title={path ?? undefined}>
        {path ?? t('fault_hidden')}
      </span>
      <span className="row">
        {id !== null && (
          <Link to="/documents/$id" params={{ id: String(id) }}>
            {t('state_document')}
          </Link>
        )}
        {twin !== null && (
          <Link to="/documents/$id" params={{ id: String(twin) }}>
            {t('same_as')}
          </Link>
        )}
        {isInTree && (
          <Link to="/vault" search={(before) => ({ patient: before.patient, path })}>
            {t('show_in_tree')}
          </Link>
        )}
      </span>
    </li>
  );
}
