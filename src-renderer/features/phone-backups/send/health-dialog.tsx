import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { HealthType } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Meter } from '../../../ui/dots.tsx';
import { Checkbox } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';
import type { PhoneLabels } from '../labels.ts';
import type { BackupSource, HealthSelection } from '../source/source.ts';
import { PatientSelect, useSelectedPatient } from './patient-select.tsx';
import './send.css';

type SendReply = Awaited<ReturnType<BackupSource['sendHealth']>>;

function toggle(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

/** Sends health values to the trends of a patient: its progress, failure and result. */
function useHealthSending(source: BackupSource) {
  const client = useQueryClient();
  const [isSending, setSending] = useState(false);
  const [share, setShare] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const [reply, setReply] = useState<SendReply | null>(null);
  const send = async (patient: string, selection: HealthSelection): Promise<void> => {
    setSending(true);
    setFailure(null);
    try {
      const onProgress = (sent: number, total: number): void => setShare(total === 0 ? 0 : sent / total);
      setReply(await source.sendHealth(Number(patient), selection, onProgress));
      void client.invalidateQueries({ queryKey: cacheKeys.labs });
    } catch (error) {
      setFailure(error);
    } finally {
      setSending(false);
    }
  };
  return { isSending, share, failure, reply, send };
}

interface Props {
  types: readonly HealthType[];
  source: BackupSource;
  labels: PhoneLabels;
  onClose: () => void;
}

/** Selects the types and sources of values to send and the patient who gets them; initially nothing is selected. */
export function HealthSendDialog({ types, source, labels, onClose }: Props) {
  const { t } = labels;
  const { isSending, share, failure, reply, send } = useHealthSending(source);
  return (
    <Dialog
      open
      wide
      onOpenChange={(isOpen) => {
        if (!isOpen && !isSending) onClose();
      }}
      title={t('send_health_title')}
    >
      {failure !== null && <Notice tone="bad">{labels.error(failure)}</Notice>}
      {reply ? (
        <SentNotice reply={reply} labels={labels} onClose={onClose} />
      ) : (
        <HealthForm
          types={types.filter(({ is_measurement: isMeasurement }) => isMeasurement)}
          isSending={isSending}
          share={share}
          onSend={(patient, selection) => void send(patient, selection)}
          labels={labels}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function SentNotice({ reply, labels, onClose }: { reply: SendReply } & Pick<Props, 'labels' | 'onClose'>) {
  const { t, formats } = labels;
  const { added, already_there: knownCount } = reply;
  return (
    <>
      <Notice tone="ok">
        {t('health_sent', { count: added, number: formats.count(added) })}
        {knownCount > 0 && ` ${t('health_known', { count: knownCount, number: formats.count(knownCount) })}`}
      </Notice>
      <div className="dialog-actions">
        <Button variant="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </>
  );
}

interface FormProps extends Omit<Props, 'source'> {
  isSending: boolean;
  share: number;
  onSend: (patient: string, selection: HealthSelection) => void;
}

function HealthForm({ types, isSending, share, onSend, labels, onClose }: FormProps) {
  const { t } = labels;
  const [patient, setPatient] = useSelectedPatient();
  const [selectedTypes, setSelectedTypes] = useState<ReadonlySet<string>>(new Set());
  const [selectedSources, setSelectedSources] = useState<ReadonlySet<string>>(new Set());
  const [isDaily, setDaily] = useState(true);
  const sources = [
    ...new Set(
      types.filter(({ type }) => selectedTypes.has(type)).flatMap((type) => type.sources.map((each) => each.source)),
    ),
  ];
  const submit = (): void => {
    const picked = sources.filter((name) => selectedSources.has(name));
    onSend(patient, { types: [...selectedTypes], ...(picked.length > 0 && { sources: picked }), daily: isDaily });
  };
  return (
    <>
      <p className="muted">{t('send_health_text')}</p>
      <PatientSelect value={patient} onChange={setPatient} labels={labels} />
      <fieldset className="phone-ticks">
        <legend className="form-label">{t('which_values')}</legend>
        {types.map((type) => (
          <Checkbox
            key={type.type}
            label={typeLabel(type, labels)}
            checked={selectedTypes.has(type.type)}
            onChange={() => setSelectedTypes(toggle(selectedTypes, type.type))}
          />
        ))}
      </fieldset>
      {sources.length > 1 && (
        <fieldset className="phone-ticks">
          <legend className="form-label">{t('which_sources')}</legend>
          {sources.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={selectedSources.has(name)}
              onChange={() => setSelectedSources(toggle(selectedSources, name))}
            />
          ))}
          <span className="form-hint">{t('which_sources_hint')}</span>
        </fieldset>
      )}
      <Checkbox label={t('daily')} checked={isDaily} onChange={() => setDaily(!isDaily)} />
      {isSending && <Meter share={share} label={t('sending_health')} />}
      <div className="dialog-actions">
        <Button disabled={isSending} onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button variant="primary" disabled={isSending || patient === '' || selectedTypes.size === 0} onClick={submit}>
          {isSending ? t('sending_health') : t('send_now')}
        </Button>
      </div>
    </>
  );
}

function typeLabel({ type, unit, count }: HealthType, labels: PhoneLabels): string {
  const unitText = labels.unit(unit);
  return `${labels.healthType(type)}${unitText ? ` (${unitText})` : ''} · ${labels.formats.count(count)}`;
}
