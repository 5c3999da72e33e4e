import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';
import { PatientStep, ReadingStep, VaultStep, YouStep } from './steps.tsx';
import './setup.css';
import type { SetupDraft } from './draft.ts';

const STEPS = 4;

/** The four steps of the first run: where, who, for whom, how. Nothing is stored before the last one. */
export default function SetupPage() {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const navigate = useNavigate();
  const client = useQueryClient();
  const status = useQuery({
    queryKey: cacheKeys.setup,
    queryFn: ({ signal }) => call(contract.accounts.setupStatus, {}, signal),
  }).data;
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState<SetupDraft>({
    displayName: '',
    username: '',
    password: '',
    patientName: '',
    birth: '',
    sex: '',
  });
  const change = (part: Partial<SetupDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const finish = useMutation({
    mutationFn: () =>
      call(contract.accounts.setupComplete, {
        body: {
          username: draft.username,
          password: draft.password,
          display_name: draft.displayName || null,
          patient_name: draft.patientName,
          patient_date_of_birth: draft.birth || null,
          patient_sex: draft.sex === '' ? null : (draft.sex as 'M' | 'F' | 'O'),
        },
      }),
    onSuccess: async () => {
      client.clear();
      await navigate({ to: '/' });
    },
    onError: (error) => {
      if (
        error instanceof ApiError &&
        (error.code === 'password.weak' || error.issues.some((issue) => /username|password/.test(issue.path)))
      )
        setStep(1);
    },
  });
  const finishLabel = finish.isPending ? t('setup.finishing') : t('setup.finish');
  const stateOf = (index: number): 'done' | 'now' | 'later' => {
    if (index === step) return 'now';
    return index < step ? 'done' : 'later';
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (step < STEPS - 1) setStep(step + 1);
    else finish.mutate();
  };
  return (
    <main className="gate">
      <form className="gate-card setup-card" onSubmit={submit}>
        <p className="gate-brand">{t('app.name')}</p>
        <ol className="setup-steps" aria-label={t('setup.step', { step: step + 1, count: STEPS })}>
          {Array.from({ length: STEPS }, (_, index) => (
            <li key={index} data-state={stateOf(index)} />
          ))}
        </ol>
        {finish.isError && <Notice tone="bad">{vocabulary.error(finish.error)}</Notice>}
        {step === 0 && (
          <VaultStep path={status?.vault_path ?? ''} freeBytes={status?.free_bytes} format={formats.bytes} />
        )}
        {step === 1 && <YouStep draft={draft} change={change} />}
        {step === 2 && <PatientStep draft={draft} change={change} locale={formats.locale} />}
        {step === 3 && <ReadingStep />}
        <div className="setup-actions">
          {step > 0 ? (
            <Button size="large" onClick={() => setStep(step - 1)}>
              {t('action.previous')}
            </Button>
          ) : (
            <span />
          )}
          <Button type="submit" variant="primary" size="large" disabled={finish.isPending}>
            {step < STEPS - 1 ? t('action.next') : finishLabel}
          </Button>
        </div>
      </form>
    </main>
  );
}
