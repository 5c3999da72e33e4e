import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { HealthType } from '../../../../src-shared/contract/phone-backups/artifacts.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { usePatients } from '../../../client/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Meter } from '../../../ui/dots.tsx';
import { Checkbox, Field, Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/states.tsx';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';

/** Selects the types and sources of values to send and the patient who gets them; initially nothing is selected. */
export function HealthSendDialog({
  types,
  source,
  labels,
  onClose,
}: {
  types: readonly HealthType[];
  source: BackupSource;
  labels: PhoneLabels;
  onClose: () => void;
}) {
  const { t, formats } = labels;
  const client = useQueryClient();
  const patients = usePatients();
  const { patient: shown } = useSearch({ strict: false });
  const [patient, setPatient] = useState(shown ?? (patients.length === 1 ? String(patients[0]?.id) : ''));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [sources, setSources] = useState<ReadonlySet<string>>(new Set());
  const [isDaily, setDaily] = useState(true);
  const [isSending, setSending] = useState(false);
  const [share, setShare] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const [result, setResult] = useState<{ added: number; already_there: number } | null>(null);
  const offered = types.filter(({ is_measurement: isMeasurement }) => isMeasurement);
  const names = [
    ...new Set(
      offered.filter(({ type }) => selected.has(type)).flatMap((type) => type.sources.map(({ source: name }) => name)),
    ),
  ];
  const flip = (set: ReadonlySet<string>, value: string): ReadonlySet<string> => {
    const next = new Set(set);
    if (!next.delete(value)) next.add(value);
    return next;
  };
  const send = async (): Promise<void> => {
    setSending(true);
    setFailure(null);
    try {
      const picked = names.filter((name) => sources.has(name));
      setResult(
        await source.sendHealth(
          Number(patient),
          { types: [...selected], ...(picked.length > 0 && { sources: picked }), daily: isDaily },
          (done, total) => setShare(total === 0 ? 0 : done / total),
        ),
      );
      void client.invalidateQueries({ queryKey: cacheKeys.labs });
    } catch (error) {
      setFailure(error);
    } finally {
      setSending(false);
    }
  };
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
      {result ? (
        <>
          <Notice tone="ok">
            {t('health_sent', { count: result.added, number: formats.count(result.added) })}
            {result.already_there > 0 &&
              ` ${t('health_known', { count: result.already_there, number: formats.count(result.already_there) })}`}
          </Notice>
          <div className="dialog-actions">
            <Button variant="primary" onClick={onClose}>
              {t('close')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="muted">{t('send_health_text')}</p>
          <Field label={t('whose')}>
            {(control) => (
              <Select
                {...control}
                value={patient}
                onChange={(event) => setPatient(event.target.value)}
                options={[
                  ...(patient === '' ? [{ value: '', label: t('choose_person') }] : []),
                  ...patients.map(({ id, display_name: name }) => ({ value: String(id), label: name })),
                ]}
              />
            )}
          </Field>
          <fieldset className="phone-ticks">
            <legend className="form-label">{t('which_values')}</legend>
            {offered.map(({ type, count, unit }) => (
              <Checkbox
                key={type}
                label={`${labels.healthType(type)}${labels.unit(unit) ? ` (${labels.unit(unit)})` : ''} · ${formats.count(count)}`}
                checked={selected.has(type)}
                onChange={() => setSelected(flip(selected, type))}
              />
            ))}
          </fieldset>
          {names.length > 1 && (
            <fieldset className="phone-ticks">
              <legend className="form-label">{t('which_sources')}</legend>
              {names.map((name) => (
                <Checkbox
                  key={name}
                  label={name}
                  checked={sources.has(name)}
                  onChange={() => setSources(flip(sources, name))}
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
            <Button
              variant="primary"
              disabled={isSending || patient === '' || selected.size === 0}
              onClick={() => void send()}
            >
              {isSending ? t('sending_health') : t('send_now')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
