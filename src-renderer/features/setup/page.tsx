import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { usePageTitle } from '../../client/page-title.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';
import { AccountStep, PatientStep, ReadingStep, VaultStep } from './steps.tsx';
import { TrySample } from './try-sample.tsx';
import '../../ui/gate.css';
import './setup.css';
import type { SetupDraft } from './draft.ts';

const STEPS = 4;
const ACCOUNT_STEP = 1;

const EMPTY_DRAFT: SetupDraft = {
  displayName: '',
  username: '',
  password: '',
  patientName: '',
  birth: '',
  sex: '',
};

/** The first run in four steps: vault, account, first patient, reading. Nothing is stored before the last one. */
export default function SetupPage() {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const formats = useFormats();
  const status = useQuery({
    queryKey: cacheKeys.setup,
    queryFn: ({ signal }) => call(contract.auth.setupStatus, {}, signal),
  }).data;
  usePageTitle(t('setup.page'));
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const change = (part: Partial<SetupDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const finish = useCompleteSetup(draft, () => setStep(ACCOUNT_STEP));
  const finishLabel = finish.isPending ? t('setup.finishing') : t('setup.finish');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (step < STEPS - 1) setStep(step + 1);
    else finish.mutate();
  };
  return (
    <main className="gate">
      <form className="gate-card setup-card" onSubmit={submit}>
        <p className="gate-brand row">
          {t('app.name')}
          <span className="cap num push" aria-hidden="true">
            {t('setup.step_named', { step: step + 1, count: STEPS, name: t(`setup.step_${step as 0}`) })}
          </span>
        </p>
        <StepList step={step} />
        {finish.isError && <Notice tone="bad">{vocabulary.error(finish.error)}</Notice>}
        {step === 0 && (
          <VaultStep path={status?.vault_path ?? ''} freeBytes={status?.free_bytes} format={formats.bytes} />
        )}
        {step === ACCOUNT_STEP && <AccountStep draft={draft} change={change} />}
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
          <Button
            key={step}
            type="submit"
            variant="primary"
            size="large"
            disabled={finish.isPending}
            // In the other steps the first field has the focus.
            autoFocus={step === 0 || step === STEPS - 1}
          >
            {step < STEPS - 1 ? t('action.next') : finishLabel}
          </Button>
        </div>
        {step === 0 && <TrySample />}
      </form>
    </main>
  );
}

function StepList({ step }: { step: number }) {
  const { t } = useTranslation();
  const stateOf = (index: number): 'done' | 'now' | 'later' => {
    if (index === step) return 'now';
    return index < step ? 'done' : 'later';
  };
  return (
    <ol className="setup-steps" aria-label={t('setup.step', { step: step + 1, count: STEPS })}>
      {Array.from({ length: STEPS }, (_, index) => (
        <li key={index} data-state={stateOf(index)} />
      ))}
    </ol>
  );
}

/** Creates the account and the first patient; a rejected name or password leads back to the account step. */
function useCompleteSetup(draft: SetupDraft, onBadAccount: () => void) {
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      call(contract.auth.setupComplete, {
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
      if (isAccountError(error)) onBadAccount();
    },
  });
}

const isAccountError = (error: Error): boolean =>
  error instanceof ApiError &&
  (error.code === 'password.weak' || error.issues.some((issue) => /username|password/.test(issue.path)));
