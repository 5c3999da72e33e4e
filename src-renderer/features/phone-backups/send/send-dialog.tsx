import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useRestore } from '../../../client/restore.ts';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Meter } from '../../../ui/dots.tsx';
import { Notice } from '../../../ui/states.tsx';
import { scriptNames } from '../export/save-pdf.ts';
import type { PhoneLabels } from '../labels.ts';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { BackupSource } from '../source/source.ts';
import type { Sendable } from './outgoing.ts';
import { PatientSelect, useSelectedPatient } from './patient-select.tsx';
import { sendAll, type SendResult } from './send.ts';
import './send.css';

/** Items whose result is listed. */
const MAX_LISTED = 200;

/** Sends items one after the other: their results, the share of the current one, and a way to stop. */
function useSending(source: BackupSource, items: readonly Sendable[]) {
  const client = useQueryClient();
  const [results, setResults] = useState<readonly (SendResult | undefined)[]>([]);
  const [state, setState] = useState<'asking' | 'sending' | 'done'>('asking');
  const [share, setShare] = useState(0);
  const control = useRef<AbortController>(null);
  const send = async (patient: string): Promise<void> => {
    const controller = (control.current = new AbortController());
    const addResult = (index: number, result: SendResult): void => {
      setShare(0);
      setResults((before) => {
        const next = [...before];
        next[index] = result;
        return next;
      });
    };
    setState('sending');
    await sendAll(source, patient, items, addResult, { signal: controller.signal, onProgress: setShare });
    setState('done');
    for (const queryKey of [
      cacheKeys.documents,
      cacheKeys.today,
      cacheKeys.pipeline,
      [PHONE_KEY, source.device.id, 'suggestions'],
    ])
      void client.invalidateQueries({ queryKey });
  };
  const sentCount = results.filter((result) => result !== undefined).length;
  return { state, results, sentCount, share, send, stop: () => control.current?.abort() };
}

interface Props {
  items: readonly Sendable[];
  source: BackupSource;
  labels: PhoneLabels;
  onClose: () => void;
}

/** Asks to whose record the selected items belong, sends them, and shows the result of each. */
export function SendDialog({ items, source, labels, onClose }: Props) {
  const { t, formats } = labels;
  const [patient, setPatient] = useSelectedPatient();
  const { state, results, sentCount, share, send, stop } = useSending(source, items);
  const progressText = t('sending', { done: sentCount, count: items.length });
  return (
    <Dialog
      open
      wide
      onOpenChange={(isOpen) => {
        if (!isOpen && state !== 'sending') onClose();
      }}
      title={t('send_title', { count: items.length, number: formats.count(items.length) })}
    >
      {items.length === 0 && <Notice tone="warn">{t('nothing_to_send')}</Notice>}
      {state === 'asking' && items.length > 0 && (
        <PatientSelect value={patient} onChange={setPatient} hint={t('send_hint')} labels={labels} />
      )}
      {state === 'sending' && (
        <Meter share={items.length === 0 ? 0 : (sentCount + share) / items.length} label={progressText} />
      )}
      <ul className="lines phone-sending">
        {items.slice(0, MAX_LISTED).map((item, index) => (
          <li key={`${item.filename} ${index}`} className="phone-sent">
            <span className="truncate" title={item.origin}>
              {item.filename}
            </span>
            <span className="cap num">{formats.date(item.date)}</span>
            <Outcome result={results[index]} labels={labels} />
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        {state === 'done' ? (
          <Button variant="primary" onClick={onClose}>
            {t('close')}
          </Button>
        ) : (
          <>
            <Button onClick={state === 'sending' ? stop : onClose}>
              {state === 'sending' ? t('stop') : t('cancel')}
            </Button>
            <Button
              variant="primary"
              disabled={patient === '' || state === 'sending' || items.length === 0}
              onClick={() => void send(patient)}
            >
              {state === 'sending' ? progressText : t('send_now')}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

function outcomeText(status: SendResult['status'], t: PhoneLabels['t']): string {
  if (status === 'duplicate') return t('already_there');
  return status === 'in_trash' ? t('restored') : t('sent');
}

function Outcome({ result, labels }: { result: SendResult | undefined; labels: PhoneLabels }) {
  const { t } = labels;
  const restoreItem = useRestore();
  const client = useQueryClient();
  const [failure, setFailure] = useState<unknown>(null);
  const [isRestored, setRestored] = useState(false);
  if (!result) return <span />;
  const { trashId } = result;
  if (trashId !== undefined && !isRestored)
    return (
      <span className="row">
        <Tag tone="warn">{t('in_trash')}</Tag>
        <Button
          size="small"
          onClick={() =>
            void restoreItem(trashId).then(() => {
              setRestored(true);
              void client.invalidateQueries({ queryKey: cacheKeys.documents });
            }, setFailure)
          }
        >
          {t('restore_trashed')}
        </Button>
        {failure !== null && <span className="cap">{labels.error(failure)}</span>}
      </span>
    );
  if (result.status === 'refused')
    return (
      <span className="row">
        <Tag tone="bad">{t('refused')}</Tag>
        <span className="cap">{labels.error(result.failure)}</span>
      </span>
    );
  return (
    <span className="row">
      <Tag tone={result.status === 'duplicate' ? 'plain' : 'ok'}>{outcomeText(result.status, t)}</Tag>
      {result.missing && Object.keys(result.missing).length > 0 && (
        <Tag tone="warn">
          {t('pdf_export.without', { scripts: scriptNames(result.missing, labels.formats.locale) })}
        </Tag>
      )}
      {result.documentId !== null && (
        <Link to="/documents/$id" params={{ id: String(result.documentId) }} search={{}}>
          {t('open_document')}
        </Link>
      )}
    </span>
  );
}
