import { useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { usePatients } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Meter } from '../../../ui/dots.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { BackupSource } from '../source/source.ts';
import { scriptNames } from '../export/save-pdf.ts';
import type { Sendable } from './outgoing.ts';
import { sendAll, type SendResult } from './send.ts';
import type { PhoneLabels } from '../labels.ts';

/** Asks whose record the selected items belong to, sends them, and shows the result of each. */
export function SendDialog({
  items,
  source,
  labels,
  onClose,
}: {
  items: readonly Sendable[];
  source: BackupSource;
  labels: PhoneLabels;
  onClose: () => void;
}) {
  const { t, formats } = labels;
  const client = useQueryClient();
  const patients = usePatients();
  const { patient: shown } = useSearch({ strict: false });
  const only = patients.length === 1 ? String(patients[0]?.id) : '';
  const [patient, setPatient] = useState(shown ?? only);
  const [result, setSent] = useState<readonly (SendResult | undefined)[]>([]);
  const [state, setState] = useState<'asking' | 'sending' | 'done'>('asking');
  const done = result.filter((each) => each !== undefined).length;
  const [share, setShare] = useState(0);
  const control = useRef<AbortController>(null);
  const send = async (): Promise<void> => {
    const controller = (control.current = new AbortController());
    setState('sending');
    await sendAll(
      source,
      patient,
      items,
      (index, result) => {
        setShare(0);
        setSent((before) => {
          const next = [...before];
          next[index] = result;
          return next;
        });
      },
      { signal: controller.signal, onProgress: setShare },
    );
    setState('done');
    for (const queryKey of [
      cacheKeys.documents,
      cacheKeys.today,
      cacheKeys.pipeline,
      [PHONE_KEY, source.device.id, 'suggestions'],
    ])
      void client.invalidateQueries({ queryKey });
  };
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
        <Field label={t('whose')} hint={t('send_hint')}>
          {(control) => (
            <Select
              {...control}
              value={patient}
              onChange={(event) => setPatient(event.target.value)}
              options={[
                ...(patient === '' ? [{ value: '', label: t('choose_person') }] : []),
                ...patients.map(({ id, display_name }) => ({ value: String(id), label: display_name })),
              ]}
            />
          )}
        </Field>
      )}
      {state === 'sending' && (
        <Meter
          share={items.length === 0 ? 0 : (done + share) / items.length}
          label={t('sending', { done, count: items.length })}
        />
      )}
      <ul className="lines phone-sending">
        {items.slice(0, 200).map((item, index) => (
          <li key={`${item.filename} ${index}`} className="phone-sent">
            <span className="truncate" title={item.origin}>
              {item.filename}
            </span>
            <span className="cap num">{formats.date(item.date)}</span>
            <Outcome result={result[index]} labels={labels} />
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
            <Button onClick={() => (state === 'sending' ? control.current?.abort() : onClose())}>
              {state === 'sending' ? t('stop') : t('cancel')}
            </Button>
            <Button
              variant="primary"
              disabled={patient === '' || state === 'sending' || items.length === 0}
              onClick={() => void send()}
            >
              {state === 'sending' ? t('sending', { done, count: items.length }) : t('send_now')}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}

function Outcome({ result, labels }: { result: SendResult | undefined; labels: PhoneLabels }) {
  const { t } = labels;
  if (!result) return <span />;
  if (result.status === 'refused')
    return (
      <span className="row">
        <Tag tone="bad">{t('refused')}</Tag>
        <span className="cap">{labels.error(result.failure)}</span>
      </span>
    );
  return (
    <span className="row">
      <Tag tone={result.status === 'pending' ? 'ok' : 'plain'}>
        {result.status === 'pending' ? t('sent') : t('already_there')}
      </Tag>
      {result.missing && Object.keys(result.missing).length > 0 && (
        <Tag tone="warn">{t('paper.without', { scripts: scriptNames(result.missing, labels.formats.locale) })}</Tag>
      )}
      {result.documentId !== null && (
        <Link to="/documents/$id" params={{ id: String(result.documentId) }} search={{}}>
          {t('open_document')}
        </Link>
      )}
    </span>
  );
}
