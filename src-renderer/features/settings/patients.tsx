import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../app/api.ts';
import { cacheKeys } from '../../app/cache-keys.ts';
import { useFormats } from '../../app/i18n/format.ts';
import { useVocabulary } from '../../app/i18n/vocabulary.ts';
import { useMayEdit, usePatients } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { DateInput } from '../../ui/date-input.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Notice } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';

/** The people of the household, and a new one. */
export function PatientsPanel() {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useVocabulary();
  const client = useQueryClient();
  const { show } = useToasts();
  const patients = usePatients();
  const mayEdit = useMayEdit();
  const [adding, setAdding] = useState(false);
  const [name, setName] = useState('');
  const [birth, setBirth] = useState('');
  const add = useMutation({
    mutationFn: () => call(contract.patients.create, { body: { display_name: name, date_of_birth: birth || null } }),
    onSuccess: (made) => {
      show({ text: t('patient.added', { name: made.display_name }) });
      setAdding(false); setName(''); setBirth('');
      for (const queryKey of [cacheKeys.patients, cacheKeys.me]) void client.invalidateQueries({ queryKey });
    },
  });
  const submit = (event: FormEvent): void => { event.preventDefault(); add.mutate(); };
  return (
    <Panel title={t('settings.patients')} actions={mayEdit && !adding ? <Button className="push" size="small" glyph={UserPlus} onClick={() => setAdding(true)}>{t('patient.add')}</Button> : undefined}>
      <ul className="lines">{patients.map((patient) => <li key={patient.id} className="patient-row"><span className="strong truncate">{patient.display_name}</span><span className="muted num">{formats.date(patient.date_of_birth)}</span><span className="mono cap truncate">{patient.slug}</span></li>)}</ul>
      {adding && (
        <form className="panel-body stack" onSubmit={submit}>
          {add.isError && <Notice tone="bad">{words.error(add.error)}</Notice>}
          <Field label={t('patient.name')}>{(control) => <Input {...control} required autoFocus value={name} onChange={(event) => setName(event.target.value)} />}</Field>
          <Field label={t('patient.birth')}>{(control) => <DateInput {...control} locale={formats.locale} value={birth} onChange={setBirth} />}</Field>
          <div className="row"><Button type="submit" variant="primary" disabled={add.isPending}>{t('action.save')}</Button><Button onClick={() => setAdding(false)}>{t('action.cancel')}</Button></div>
        </form>
      )}
    </Panel>
  );
}
