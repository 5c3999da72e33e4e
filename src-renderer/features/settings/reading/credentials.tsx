import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { CredentialRow } from '../../../../src-shared/contract/providers.ts';
import { CREDENTIAL_TYPES, DEFAULT_ADDRESSES } from '../../../../src-shared/contract/provider-types.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SecretInput } from '../../../ui/secret-input.tsx';
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { useCredentials, useSaveCredentials, type CredentialEntry } from './provider-queries.ts';

/** Addresses, keys and limits that several providers share. */
export function CredentialsPanel() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const [open, setOpen] = useState<string | null>(null);
  const { data, error, refetch } = useCredentials();
  const save = useSaveCredentials(() => setOpen(null));
  const rows = data ?? [];
  const put = (entry: CredentialEntry): void =>
    save.mutate(
      rows.some(({ id }) => id === entry.id)
        ? rows.map((row) => (row.id === entry.id ? entry : row))
        : [...rows, entry],
    );
  const form = (row: CredentialRow | null) => (
    <CredentialForm row={row} isBusy={save.isPending} onSave={put} onCancel={() => setOpen(null)} />
  );
  return (
    <Panel
      title={t('credentials')}
      actions={
        open === null ? (
          <Button className="push" size="small" glyph={Plus} onClick={() => setOpen('')}>
            {t('credential_add')}
          </Button>
        ) : undefined
      }
    >
      <p className="panel-body">{t('credentials_text')}</p>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={1} label={t('loading')} />}
      <ul className="lines">
        {open === '' && <li>{form(null)}</li>}
        {rows.map((row) =>
          open === row.id ? (
            <li key={row.id}>{form(row)}</li>
          ) : (
            <li key={row.id} className="provider-row">
              <span />
              <span className="provider-name">
                <span className="strong">{row.name}</span> <span className="cap">{t(`provider_type_${row.type}`)}</span>
              </span>
              <span className="cap num">{t('credential_used', { count: row.references.total })}</span>
              <span className="row provider-actions">
                <IconButton
                  size="small"
                  glyph={Pencil}
                  label={t('user_edit', { name: row.name })}
                  onClick={() => setOpen(row.id)}
                />
                <IconButton
                  size="small"
                  glyph={Trash2}
                  label={t('user_remove_of', { name: row.name })}
                  disabled={row.references.total > 0 || save.isPending}
                  onClick={() => save.mutate(rows.filter(({ id }) => id !== row.id))}
                />
              </span>
            </li>
          ),
        )}
      </ul>
    </Panel>
  );
}

const numberOf = (text: string): number => Number(text.replace(',', '.'));

function CredentialForm({
  row,
  isBusy,
  onSave,
  onCancel,
}: {
  row: CredentialRow | null;
  isBusy: boolean;
  onSave: (entry: CredentialEntry) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation('settings');
  const [draft, setDraft] = useState({
    type: row?.type ?? 'ollama',
    name: row?.name ?? '',
    base_url: row?.base_url ?? '',
    api_key: '',
    max_concurrent: String(row?.max_concurrent ?? 2),
    max_retries: String(row?.max_retries ?? 3),
    backoff: (row?.retry_backoff_seconds ?? [30, 60, 120]).join(', '),
  });
  const set = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { type, name, base_url, api_key, max_concurrent, max_retries, backoff } = draft;
    onSave({
      ...(row && { id: row.id }),
      ...{ type, name: name.trim(), base_url: base_url.trim(), api_key: api_key as '' },
      ...{ max_concurrent: numberOf(max_concurrent), max_retries: numberOf(max_retries) },
      retry_backoff_seconds: backoff
        .split(/[\s,;]+/)
        .filter((part) => part !== '')
        .map(Number),
    });
  };
  const text = (
    field: 'name' | 'base_url' | 'max_concurrent' | 'max_retries' | 'backoff',
    label: string,
    more: object,
  ) => (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          {...more}
          spellCheck={false}
          value={draft[field]}
          onChange={(event) => set({ [field]: event.target.value })}
        />
      )}
    </Field>
  );
  const types = CREDENTIAL_TYPES.map((value) => ({ value, label: t(`provider_type_${value}`) }));
  const number = { inputMode: 'numeric', pattern: '\\d+', required: true, className: 'settings-number num' };
  return (
    <form className="panel-body stack settings-form settings-inline" onSubmit={submit}>
      <Field label={t('provider_type')}>
        {(control) => (
          <Select
            {...control}
            value={draft.type}
            options={types}
            disabled={row !== null}
            onChange={(event) => set({ type: event.target.value as typeof draft.type })}
          />
        )}
      </Field>
      {text('name', t('provider_name'), { required: true, maxLength: 100 })}
      {text('base_url', t('provider_address'), { inputMode: 'url', placeholder: DEFAULT_ADDRESSES[draft.type] })}
      <Field label={t('provider_key')} hint={t('hint_oidc_client_secret')}>
        {(control) => (
          <SecretInput
            {...control}
            autoComplete="new-password"
            labels={{ show: t('provider_key_show'), hide: t('provider_key_hide') }}
            placeholder={row?.has_api_key ? t('secret_kept') : undefined}
            value={draft.api_key}
            onChange={(event) => set({ api_key: event.target.value })}
          />
        )}
      </Field>
      {text('max_concurrent', t('field_llm_max_concurrent_requests'), number)}
      {text('max_retries', t('field_llm_max_retries'), number)}
      {text('backoff', t('field_llm_retry_backoff_seconds'), { required: true, pattern: '[\\d.,; ]+' })}
      <div className="row">
        <Button type="submit" variant="primary" disabled={isBusy}>
          {t('save')}
        </Button>
        <Button onClick={onCancel}>{t('cancel')}</Button>
      </div>
    </form>
  );
}
