import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IMPORT_ITEM_STATUSES, type ArchiveImport } from '../../../src-shared/contract/archive-imports.ts';
import { addressOf, contract } from '../../client/api.ts';
import { storedFailure } from '../../client/stored-failure.ts';
import { useFormats } from '../../client/format.ts';
import { usePatients } from '../../client/session.tsx';
import { useToasts } from '../../client/toasts.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import { isBusy, useImportAction, useProblems } from './queries.ts';

/** An import: what the archive holds, how far it is, and what can be done with it. */
export function ImportPanel({ archive }: { archive: ArchiveImport }) {
  const { t } = useTranslation('archive_imports');
  const vocabulary = useVocabulary();
  const patient = usePatients().find(({ id }) => id === archive.patient_id);
  const { source, kind, status, error_code: errorCode } = archive;
  const name = source.split(/[/\\]/).at(-1) || source;
  return (
    <Panel title={name} aside={t(`kind_${kind}`)} actions={<StatusTag archive={archive} />}>
      <div className="panel-body stack import-body">
        <p className="cap import-source">
          <span className="mono">{source}</span> {patient && t('into', { name: patient.display_name })}
        </p>
        {errorCode && status === 'failed' && (
          <Notice tone="bad">{vocabulary.error(storedFailure(errorCode, 'server.internal_error'))}</Notice>
        )}
        <Counts archive={archive} />
        {isBusy(archive) && <Progress archive={archive} />}
        <Problems archive={archive} />
        <Actions archive={archive} name={name} />
      </div>
    </Panel>
  );
}

function StatusTag({ archive: { status } }: { archive: ArchiveImport }) {
  const { t } = useTranslation('archive_imports');
  const tone = { done: 'ok', failed: 'bad', stopped: 'warn' }[status as string] as 'ok' | 'bad' | 'warn' | undefined;
  return (
    <span className="push">
      <Tag {...(tone && { tone })}>{t(`status_${status}`)}</Tag>
    </span>
  );
}

function Counts({ archive: { counts, values } }: { archive: ArchiveImport }) {
  const { t } = useTranslation('archive_imports');
  const formats = useFormats();
  const parts = IMPORT_ITEM_STATUSES.filter((status) => counts[status] > 0).map((status) =>
    t(`count_${status}`, { n: formats.count(counts[status]) }),
  );
  if (values > 0) parts.push(t('values', { n: formats.count(values) }));
  return parts.length === 0 ? null : <p className="num strong">{parts.join(' · ')}</p>;
}

/** How much of the archive was looked at or stored. */
function Progress({ archive: { counts, status } }: { archive: ArchiveImport }) {
  const { t } = useTranslation('archive_imports');
  const total = IMPORT_ITEM_STATUSES.reduce((sum, one) => sum + counts[one], 0);
  const left = { scanning: counts.unchecked, running: counts.waiting, undoing: counts.stored }[status as 'running'];
  const share = total === 0 ? 0 : (total - left) / total;
  return (
    <div
      className="meter"
      role="progressbar"
      aria-label={t(`status_${status}`)}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ width: `${share * 100}%` }} />
    </div>
  );
}

function Problems({ archive }: { archive: ArchiveImport }) {
  const { t } = useTranslation('archive_imports');
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const { data } = useProblems(archive);
  if (archive.counts.refused === 0 || !data) return null;
  const more = data.total - data.items.length;
  return (
    <details>
      <summary>{t('problems')}</summary>
      <ul className="import-problems">
        {data.items.map(({ id, name, code, params }) => (
          <li key={id}>
            <span className="mono">{name}</span> {code && vocabulary.failure({ code, params })}
          </li>
        ))}
        {more > 0 && <li className="cap">{t('more', { n: formats.count(more) })}</li>}
      </ul>
    </details>
  );
}

function Actions({ archive, name }: { archive: ArchiveImport; name: string }) {
  const { t } = useTranslation('archive_imports');
  const { showError } = useToasts();
  const act = useImportAction(showError);
  const [isAsking, setAsking] = useState(false);
  const { id, status, counts } = archive;
  const on = (what: 'run' | 'stop' | 'undo' | 'remove') => () => act.mutate({ id, act: what });
  const canRun = status === 'ready' || status === 'stopped' || status === 'failed';
  return (
    <div className="row import-actions">
      {canRun && (
        <Button
          variant="primary"
          disabled={act.isPending || (status === 'ready' && counts.waiting === 0)}
          onClick={on('run')}
        >
          {t(status === 'ready' ? 'run' : 'resume')}
        </Button>
      )}
      {(status === 'scanning' || status === 'running') && (
        <Button disabled={act.isPending} onClick={on('stop')}>
          {t('stop')}
        </Button>
      )}
      {!isBusy(archive) && counts.stored > 0 && <Button onClick={() => setAsking(true)}>{t('undo')}</Button>}
      {!isBusy(archive) && (
        <a
          className={buttonClass()}
          href={addressOf(contract.archiveImports.report, { params: { id: String(id) } })}
          download
        >
          <Icon glyph={Download} />
          {t('report')}
        </a>
      )}
      {!isBusy(archive) && (
        <Button variant="quiet" disabled={act.isPending} onClick={on('remove')}>
          {t('remove')}
        </Button>
      )}
      {isAsking && (
        <Dialog open onOpenChange={() => setAsking(false)} title={t('undo_title', { name })}>
          <div className="stack">
            <p>{t('undo_text')}</p>
            <div className="row">
              <Button
                variant="danger"
                onClick={() => {
                  setAsking(false);
                  on('undo')();
                }}
              >
                {t('undo')}
              </Button>
              <Button onClick={() => setAsking(false)}>{t('cancel')}</Button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}
