import { FolderOpen } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListedVault, VaultOverview } from '../../../src-shared/contract/vaults.ts';
import { ApiError } from '../../client/api.ts';
import { storedFailure } from '../../client/stored-failure.ts';
import { FolderPicker } from '../../client/folder-picker.tsx';
import { useFormats } from '../../client/format.ts';
import { useSample } from '../../client/sample.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState, Notice, SkeletonLines } from '../../ui/states.tsx';
import { useOpenVault, useVaultAction, useVaults } from './queries.ts';
import './vaults.css';

/** The vault that is open, moving it to another disk, and the other vaults of this computer. */
export default function VaultsSection() {
  const { t } = useTranslation('vaults');
  const vocabulary = useVocabulary();
  const { data, error, refetch } = useVaults();
  if (data)
    return (
      <>
        <CurrentPanel overview={data} />
        {data.can_switch && <OthersPanel overview={data} />}
      </>
    );
  return (
    <Panel title={t('current')}>
      {error ? (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines count={3} label={t('loading')} />
      )}
    </Panel>
  );
}

function CurrentPanel({ overview }: { overview: VaultOverview }) {
  const { t } = useTranslation('vaults');
  const vocabulary = useVocabulary();
  const { path, read_only_since: since, taken_from: takenFrom, moved_from: movedFrom, moving } = overview;
  const lastError = overview.last_error;
  const isSample = Boolean(useSample()?.open);
  const action = useVaultAction();
  return (
    <Panel title={t('current')}>
      <div className="panel-body stack vaults-body">
        <p className="mono vaults-path">{path}</p>
        {isSample && <p className="muted">{t('sample')}</p>}
        {since !== null && <ReadOnlyNotice path={path} since={since} />}
        {takenFrom !== null && <Notice tone="warn">{t('taken_from', { host: takenFrom })}</Notice>}
        {movedFrom !== null && <Notice tone="ok">{t('moved_from', { path: movedFrom })}</Notice>}
        {lastError !== null && (
          <Notice tone="bad">{vocabulary.error(storedFailure(lastError, 'server.internal_error'))}</Notice>
        )}
        {moving ? (
          <Moving moving={moving} onStop={() => action.mutate({ act: 'stop' })} />
        ) : (
          overview.can_switch &&
          since === null && (
            <PathForm
              label={t('move')}
              hint={t('move_hint')}
              pickerTitle={t('move_picker')}
              button={t('move_do')}
              isBusy={action.isPending}
              error={action.isError ? vocabulary.error(action.error) : undefined}
              onChange={action.reset}
              onSubmit={(to) => action.mutate({ act: 'move', path: to })}
            />
          )
        )}
      </div>
    </Panel>
  );
}

/** Says why nothing can be changed, and opens the vault again once it is free. */
function ReadOnlyNotice({ path, since }: { path: string; since: string }) {
  const { t } = useTranslation('vaults');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const open = useOpenVault();
  return (
    <>
      <Notice tone="warn">
        {t('read_only', { when: formats.moment(since) })}{' '}
        <Button
          size="small"
          disabled={open.isPending}
          onClick={() => open.mutate({ path, create: false, read_only: false })}
        >
          {t('open_again')}
        </Button>
      </Notice>
      {open.isError && <Notice tone="bad">{vocabulary.error(open.error)}</Notice>}
    </>
  );
}

function Moving({ moving, onStop }: { moving: NonNullable<VaultOverview['moving']>; onStop: () => void }) {
  const { t } = useTranslation('vaults');
  const formats = useFormats();
  const share = moving.total === 0 ? 0 : moving.done / moving.total;
  return (
    <div className="stack">
      <span className="row">
        <span className="strong">{t('moving', { path: moving.to })}</span>
        <span className="cap num push">
          {t('moved', { done: formats.bytes(moving.done), total: formats.bytes(moving.total) })}
        </span>
      </span>
      <div
        className="meter"
        role="progressbar"
        aria-label={t('moving', { path: moving.to })}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${share * 100}%` }} />
      </div>
      <div className="row">
        <Button onClick={onStop}>{t('stop')}</Button>
      </div>
    </div>
  );
}

function OthersPanel({ overview }: { overview: VaultOverview }) {
  const { t } = useTranslation('vaults');
  const vocabulary = useVocabulary();
  const open = useOpenVault();
  const action = useVaultAction();
  const [asked, setAsked] = useState('');
  const others = overview.recent.filter(({ state }) => state !== 'open');
  const isMissing = open.error instanceof ApiError && open.error.code === 'vault.absent';
  const begin = (path: string, { create = false, read_only = false } = {}): void => {
    setAsked(path);
    open.mutate({ path, create, read_only });
  };
  return (
    <Panel title={t('others')} aside={t('others_text')}>
      <ul className="lines">
        {others.map((vault) => (
          <VaultLine
            key={vault.path}
            vault={vault}
            isBusy={open.isPending}
            onOpen={() => begin(vault.path, { read_only: vault.state === 'in_use' })}
            onForget={() => action.mutate({ act: 'forget', path: vault.path })}
          />
        ))}
      </ul>
      <div className="panel-body stack vaults-body">
        {open.isPending && (
          <p className="muted" role="status">
            {t('opening')}
          </p>
        )}
        <PathForm
          label={t('open')}
          hint={t('open_hint')}
          pickerTitle={t('open_picker')}
          button={t('open_do')}
          isBusy={open.isPending}
          error={open.isError ? vocabulary.error(open.error) : undefined}
          onChange={open.reset}
          onSubmit={(path) => begin(path)}
        />
        {isMissing && (
          <div className="row">
            <Button onClick={() => begin(asked, { create: true })}>{t('create')}</Button>
          </div>
        )}
      </div>
    </Panel>
  );
}

function VaultLine({
  vault: { path, state, host },
  isBusy,
  onOpen,
  onForget,
}: {
  vault: ListedVault;
  isBusy: boolean;
  onOpen: () => void;
  onForget: () => void;
}) {
  const { t } = useTranslation('vaults');
  return (
    <li className="vaults-line">
      <span className="mono vaults-path">{path}</span>
      {state === 'absent' && <Tag tone="warn">{t('absent')}</Tag>}
      {state === 'in_use' && <Tag tone="warn">{t('in_use', { host: host ?? '' })}</Tag>}
      <Button
        size="small"
        className="push"
        aria-label={t(state === 'in_use' ? 'read_one' : 'open_one', { path })}
        disabled={isBusy || state === 'absent'}
        onClick={onOpen}
      >
        {t(state === 'in_use' ? 'read' : 'open_do')}
      </Button>
      <Button size="small" variant="quiet" aria-label={t('forget_one', { path })} disabled={isBusy} onClick={onForget}>
        {t('forget')}
      </Button>
    </li>
  );
}

/** A path with a picker and a button. */
function PathForm({
  label,
  hint,
  pickerTitle,
  button,
  isBusy,
  error,
  onChange,
  onSubmit,
}: {
  label: string;
  hint: ReactNode;
  pickerTitle: string;
  button: string;
  isBusy: boolean;
  error: string | undefined;
  onChange: () => void;
  onSubmit: (path: string) => void;
}) {
  const { t } = useTranslation('vaults');
  const [path, setPath] = useState('');
  const [isPicking, setPicking] = useState(false);
  const change = (text: string): void => {
    setPath(text);
    onChange();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (path.trim() !== '') onSubmit(path.trim());
  };
  return (
    <form onSubmit={submit}>
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          <span className="path-field">
            <Input
              {...control}
              className="mono"
              spellCheck={false}
              autoComplete="off"
              value={path}
              onChange={(event) => change(event.target.value)}
            />
            <Button glyph={FolderOpen} onClick={() => setPicking(true)}>
              {t('choose')}
            </Button>
            <Button type="submit" disabled={path.trim() === '' || isBusy}>
              {button}
            </Button>
          </span>
        )}
      </Field>
      {isPicking && (
        <FolderPicker
          title={pickerTitle}
          start={undefined}
          onClose={() => setPicking(false)}
          onChoose={(folder) => {
            setPicking(false);
            change(folder);
          }}
        />
      )}
    </form>
  );
}
