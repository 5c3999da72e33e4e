import { Check } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { today } from '../../client/clock.ts';
import { DateInput } from '../../ui/date-input.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import { SecretInput } from '../../ui/secret-input.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/states.tsx';
import { withDisplayName, type SetupDraft } from './draft.ts';
import { strengthOf } from './password.ts';

/** Imaging files are large: with fewer free bytes the page shows a warning. */
const MIN_FREE_BYTES = 5e9;

export function VaultStep({
  path,
  freeBytes,
  format,
}: {
  path: string;
  freeBytes: number | undefined;
  format: (bytes: number) => string;
}) {
  const { t } = useTranslation();
  return (
    <>
      <h1>{t('setup.vault')}</h1>
      <p className="muted">{t('setup.vault_text')}</p>
      <div className="setup-fact">
        <span className="mono">{path}</span>
        {freeBytes !== undefined && <span className="cap num">{t('setup.free', { size: format(freeBytes) })}</span>}
      </div>
      {freeBytes !== undefined && freeBytes < MIN_FREE_BYTES && (
        <Notice tone="warn">{t('setup.free_short', { size: format(freeBytes) })}</Notice>
      )}
    </>
  );
}

interface StepProps {
  draft: SetupDraft;
  change: (part: Partial<SetupDraft>) => void;
}

export function AccountStep({ draft, change }: StepProps) {
  const { t } = useTranslation();
  const isBadName = draft.username !== '' && !/^[\p{L}\p{N}._@-]+$/u.test(draft.username);
  return (
    <>
      <h1>{t('setup.you')}</h1>
      <p className="muted">{t('setup.you_text')}</p>
      <Field label={t('setup.display_name')}>
        {(control) => (
          <Input
            isLarge
            {...control}
            autoFocus
            autoComplete="name"
            value={draft.displayName}
            onChange={(event) => change(withDisplayName(draft, event.target.value))}
          />
        )}
      </Field>
      <Field
        label={t('login.username')}
        hint={t('setup.username_hint')}
        error={isBadName ? t('setup.bad_username') : undefined}
      >
        {(control) => (
          <Input
            isLarge
            {...control}
            required
            autoComplete="username"
            maxLength={64}
            value={draft.username}
            onChange={(event) => change({ username: event.target.value })}
          />
        )}
      </Field>
      <PasswordField draft={draft} change={change} />
      <p className="cap">{t('setup.no_recovery')}</p>
    </>
  );
}

function PasswordField({ draft, change }: StepProps) {
  const { t } = useTranslation();
  const [hasLeftField, setHasLeftField] = useState(false);
  const strength = strengthOf(draft.password, [draft.username, draft.displayName]);
  const strengthNames = [
    t('setup.strength_0'),
    t('setup.strength_1'),
    t('setup.strength_2'),
    t('setup.strength_3'),
    t('setup.strength_4'),
  ];
  return (
    <Field
      label={t('login.password')}
      hint={
        draft.password === '' ? (
          t('setup.password_hint')
        ) : (
          <>
            <StrengthBar strength={strength} />
            {t('setup.strength', { word: strengthNames[strength] ?? '' })}
          </>
        )
      }
      error={hasLeftField && draft.password !== '' && strength === 0 ? t('setup.password_hint') : undefined}
    >
      {(control) => (
        <SecretInput
          isLarge
          {...control}
          required
          labels={{ show: t('login.show_password'), hide: t('login.hide_password') }}
          minLength={12}
          autoComplete="new-password"
          value={draft.password}
          onBlur={() => setHasLeftField(true)}
          onChange={(event) => change({ password: event.target.value })}
        />
      )}
    </Field>
  );
}

/** The strength of the password in four parts; the words beside it say the same. */
const StrengthBar = ({ strength }: { strength: number }) => (
  <span className="setup-strength" data-strength={strength} aria-hidden="true">
    {[1, 2, 3, 4].map((part) => (
      <i key={part} data-on={part <= strength || undefined} />
    ))}
  </span>
);

export function PatientStep({ draft, change, locale }: StepProps & { locale: string }) {
  const { t } = useTranslation();
  const [invalid, setInvalid] = useState(false);
  const dateError = (): string | undefined => {
    if (invalid) return t('setup.bad_date');
    return draft.birth > today() ? t('setup.date_future') : undefined;
  };
  return (
    <>
      <h1>{t('setup.patient')}</h1>
      <p className="muted">{t('setup.patient_text')}</p>
      <Field label={t('patient.name')}>
        {(control) => (
          <Input
            isLarge
            {...control}
            autoFocus
            required
            value={draft.patientName}
            onChange={(event) => change({ patientName: event.target.value })}
          />
        )}
      </Field>
      {draft.displayName !== '' && draft.patientName !== draft.displayName && (
        <span>
          <Button size="small" onClick={() => change({ patientName: draft.displayName })}>
            {t('setup.its_me')}
          </Button>
        </span>
      )}
      <div className="setup-two">
        <Field label={`${t('patient.birth')} (${t('setup.optional')})`} error={dateError()}>
          {(control) => (
            <DateInput
              isLarge
              {...control}
              locale={locale}
              latest={today()}
              value={draft.birth}
              onInvalid={setInvalid}
              onChange={(birth) => change({ birth })}
            />
          )}
        </Field>
        <SexField draft={draft} change={change} />
      </div>
    </>
  );
}

function SexField({ draft, change }: StepProps) {
  const { t } = useTranslation();
  return (
    <Field label={`${t('patient.sex')} (${t('setup.optional')})`}>
      {(control) => (
        <Select
          isLarge
          {...control}
          value={draft.sex}
          onChange={(event) => change({ sex: event.target.value })}
          options={[
            { value: '', label: t('patient.sex_unset') },
            { value: 'F', label: t('patient.sex_F') },
            { value: 'M', label: t('patient.sex_M') },
            { value: 'O', label: t('patient.sex_O') },
          ]}
        />
      )}
    </Field>
  );
}

export function ReadingStep() {
  const { t } = useTranslation();
  return (
    <>
      <h1>{t('setup.reading')}</h1>
      <p className="muted">{t('setup.reading_text')}</p>
      <p className="row">
        <Icon glyph={Check} />
        {t('setup.reading_local')}
      </p>
    </>
  );
}
