import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../../../src-shared/contract/users.ts';
import { ApiError } from '../../../client/api.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { SecretInput } from '../../../ui/secret-input.tsx';
import { Notice } from '../../../ui/states.tsx';
import type { UserDraft } from './queries.ts';

const ROLES = ['editor', 'viewer', 'admin'] as const satisfies readonly User['role'][];

/** The form of a new or an existing account. `failure` is the error of the last attempt. */
export function UserForm({
  user,
  isMe,
  failure,
  isBusy,
  onSave,
  onCancel,
}: {
  user: User | null;
  /** Whether it is the account of the signed-in person. */
  isMe: boolean;
  failure: unknown;
  isBusy: boolean;
  onSave: (draft: UserDraft) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const [draft, setDraft] = useState<UserDraft>({
    username: user?.username ?? '',
    display_name: user?.display_name ?? '',
    password: '',
    role: user?.role ?? 'editor',
  });
  const rejectedFields = failure instanceof ApiError ? failure.issues.map((issue) => issue.path) : [];
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSave({ ...draft, username: draft.username.trim(), display_name: draft.display_name.trim() });
  };
  const set = (change: Partial<UserDraft>): void => setDraft({ ...draft, ...change });
  const fields = { draft, isNew: user === null, rejectedFields, onChange: set };
  return (
    <form className="panel-body stack settings-form settings-inline" onSubmit={submit}>
      {failure !== null && failure !== undefined && <Notice tone="bad">{vocabulary.error(failure)}</Notice>}
      {!user && <UsernameField {...fields} />}
      <DisplayNameField {...fields} />
      {isMe ? <p className="form-hint">{t('own_password_hint')}</p> : <PasswordField {...fields} />}
      <RoleField {...fields} />
      <div className="row">
        <Button type="submit" variant="primary" disabled={isBusy}>
          {t('save')}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  );
}

interface FieldProps {
  draft: UserDraft;
  isNew: boolean;
  rejectedFields: readonly string[];
  onChange: (change: Partial<UserDraft>) => void;
}

function UsernameField({ draft, rejectedFields, onChange }: FieldProps) {
  const { t } = useTranslation('settings');
  return (
    <Field
      label={t('username')}
      hint={t('username_hint')}
      error={rejectedFields.includes('body.username') ? t('username_hint') : undefined}
    >
      {(control) => (
        <Input
          {...control}
          required
          autoFocus
          autoComplete="off"
          spellCheck={false}
          maxLength={64}
          value={draft.username}
          onChange={(event) => onChange({ username: event.target.value })}
        />
      )}
    </Field>
  );
}

function DisplayNameField({ draft, isNew, onChange }: FieldProps) {
  const { t } = useTranslation('settings');
  return (
    <Field label={t('display_name')}>
      {(control) => (
        <Input
          {...control}
          required={!isNew}
          autoFocus={!isNew}
          autoComplete="off"
          maxLength={200}
          value={draft.display_name}
          onChange={(event) => onChange({ display_name: event.target.value })}
        />
      )}
    </Field>
  );
}

function PasswordField({ draft, isNew, rejectedFields, onChange }: FieldProps) {
  const { t } = useTranslation('settings');
  return (
    <Field
      label={isNew ? t('password') : t('new_password')}
      hint={isNew ? t('password_hint') : t('other_password_hint')}
      error={rejectedFields.includes('body.password') ? t('password_hint') : undefined}
    >
      {(control) => (
        <SecretInput
          {...control}
          labels={{ show: t('login.show_password', { ns: 'app' }), hide: t('login.hide_password', { ns: 'app' }) }}
          required={isNew}
          minLength={12}
          autoComplete="new-password"
          value={draft.password}
          onChange={(event) => onChange({ password: event.target.value })}
        />
      )}
    </Field>
  );
}

function RoleField({ draft, onChange }: FieldProps) {
  const { t } = useTranslation('settings');
  return (
    <Field label={t('role')} hint={t(`role_${draft.role}_text`)}>
      {(control) => (
        <Select
          {...control}
          value={draft.role}
          onChange={(event) => onChange({ role: event.target.value as User['role'] })}
          options={ROLES.map((value) => ({ value, label: t(`role_${value}`) }))}
        />
      )}
    </Field>
  );
}
