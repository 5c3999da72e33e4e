import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ViewerAccess } from '../../../../src-shared/contract/viewer-access.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { useFormats } from '../../../client/format.ts';
import { useToasts } from '../../../client/toasts.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../../ui/states.tsx';

/** Tokens with which imaging viewers such as OHIF or Weasis read the studies that one may see. */
export function ViewerAccessPanel() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const { show, showError } = useToasts();
  const { data, error, refetch } = useQuery({
    queryKey: cacheKeys.viewerAccess,
    queryFn: ({ signal }) => call(contract.viewerAccesses.list, {}, signal),
  });
  const revoke = useMutation({
    mutationFn: ({ id }: ViewerAccess) => call(contract.viewerAccesses.revoke, { params: { access_id: String(id) } }),
    onSuccess: (_, { name }) => {
      show({ text: (words) => words.t('viewer_revoked', { ns: 'settings', name }) });
      void client.invalidateQueries({ queryKey: cacheKeys.viewerAccess });
    },
    onError: showError,
  });
  return (
    <Panel title={t('viewers')}>
      <div className="panel-body stack settings-lead">
        <p>{t('viewers_text')}</p>
        {data && (
          <p>
            {t('viewer_address')} <span className="mono">{data.address}</span>
          </p>
        )}
      </div>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonLines count={2} label={t('loading')} />}
      <ul className="lines">
        {data?.items.map((access) => (
          <AccessLine
            key={access.id}
            access={access}
            isBusy={revoke.isPending}
            onRevoke={() => revoke.mutate(access)}
          />
        ))}
      </ul>
      <AccessForm />
    </Panel>
  );
}

function AccessLine({ access, isBusy, onRevoke }: { access: ViewerAccess; isBusy: boolean; onRevoke: () => void }) {
  const { t } = useTranslation('settings');
  const { moment } = useFormats();
  const { name, origins, last_used_at: used } = access;
  return (
    <li className="session-row">
      <span className="truncate">
        <span className="strong">{name}</span> <span className="mono cap">{origins.join(' ')}</span>
      </span>
      <span className="muted">{used === null ? t('viewer_unused') : t('viewer_used', { when: moment(used) })}</span>
      <Button
        size="small"
        className="push"
        disabled={isBusy}
        onClick={onRevoke}
        aria-label={t('viewer_revoke', { name })}
      >
        {t('viewer_revoke_short')}
      </Button>
    </li>
  );
}

function AccessForm() {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [origins, setOrigins] = useState('');
  const create = useMutation({
    mutationFn: () =>
      call(contract.viewerAccesses.create, {
        body: { name: name.trim(), origins: origins.split(/[\s,]+/).filter((one) => one !== '') },
      }),
    onSuccess: () => {
      setName('');
      setOrigins('');
      void client.invalidateQueries({ queryKey: cacheKeys.viewerAccess });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') create.mutate();
  };
  return (
    <form className="panel-body stack" onSubmit={submit}>
      {create.data && (
        <Notice tone="ok">
          {t('viewer_token', { name: create.data.name })} <code className="mono">{create.data.token}</code>
        </Notice>
      )}
      {create.error && <Notice tone="bad">{vocabulary.error(create.error)}</Notice>}
      <Field label={t('viewer_name')}>
        {(control) => (
          <Input {...control} value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Field label={t('viewer_origins')} hint={t('viewer_origins_hint')}>
        {(control) => (
          <Input {...control} value={origins} inputMode="url" onChange={(event) => setOrigins(event.target.value)} />
        )}
      </Field>
      <Button type="submit" glyph={Plus} disabled={name.trim() === '' || create.isPending}>
        {t('viewer_create')}
      </Button>
    </form>
  );
}
