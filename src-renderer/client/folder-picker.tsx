import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronUp, Folder, FolderPlus, HardDrive, House } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { FolderListing, FolderPlace } from '../../src-shared/contract/vault-backups.ts';
import { useFormats } from './format.ts';
import { useVocabulary } from './vocabulary.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice, SkeletonLines } from '../ui/states.tsx';
import { call, contract } from './api.ts';
import { cacheKeys } from './cache-keys.ts';

/** The folders in a folder of the computer that keeps the vault; without a path, in the home folder. */
const useFolders = (path: string | undefined) =>
  useQuery({
    queryKey: [...cacheKeys.backups, 'folders', path ?? ''],
    queryFn: ({ signal }) => call(contract.vaultBackups.folders, { query: path === undefined ? {} : { path } }, signal),
    retry: false,
  });

export const makeFolder = (path: string) => call(contract.vaultBackups.makeFolder, { body: { path } });

/** Chooses a folder of the computer that keeps the vault. Starts at `start` if it is there, else in the home folder. */
export function FolderPicker({
  title,
  start,
  onChoose,
  onClose,
}: {
  title: string;
  start: string | undefined;
  onChoose: (path: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation('vault_backups');
  const vocabulary = useVocabulary();
  const [path, setPath] = useState(start);
  const { data, error } = useFolders(path);
  return (
    <Dialog open wide onOpenChange={onClose} title={title}>
      {error && (
        <>
          <Notice tone="bad">{vocabulary.error(error)}</Notice>
          <Button onClick={() => setPath(undefined)}>{t('picker_home')}</Button>
        </>
      )}
      {!data && !error && <SkeletonLines count={6} label={t('loading')} />}
      {data && <Listing listing={data} onOpen={setPath} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="primary" disabled={!data} onClick={() => data && onChoose(data.path)}>
          {t('picker_use')}
        </Button>
      </div>
    </Dialog>
  );
}

function Listing({ listing, onOpen }: { listing: FolderListing; onOpen: (path: string) => void }) {
  const { t } = useTranslation('vault_backups');
  const formats = useFormats();
  const { path, parent, free_bytes: free, folders, places } = listing;
  return (
    <>
      <ul className="picker-places" aria-label={t('picker_places')}>
        {places.map((place) => (
          <Place key={place.path} place={place} onOpen={onOpen} />
        ))}
      </ul>
      <div className="row">
        <IconButton
          glyph={ChevronUp}
          label={t('picker_up')}
          disabled={parent === null}
          onClick={() => parent !== null && onOpen(parent)}
        />
        <span className="mono picker-path">{path}</span>
        {free !== null && <span className="cap num push">{t('free', { size: formats.bytes(free) })}</span>}
      </div>
      <ul className="picker-folders" aria-label={t('picker_folders')}>
        {folders.map((folder) => (
          <li key={folder.path}>
            <button type="button" className="menu-item" onClick={() => onOpen(folder.path)}>
              <Icon glyph={Folder} />
              <span className="truncate">{folder.name}</span>
            </button>
          </li>
        ))}
        {folders.length === 0 && <li className="cap">{t('picker_empty')}</li>}
      </ul>
      <NewFolder key={path} parent={path} onMade={onOpen} />
    </>
  );
}

function Place({ place, onOpen }: { place: FolderPlace; onOpen: (path: string) => void }) {
  const { t } = useTranslation('vault_backups');
  const formats = useFormats();
  return (
    <li>
      <Button glyph={place.kind === 'home' ? House : HardDrive} title={place.path} onClick={() => onOpen(place.path)}>
        {place.kind === 'home' ? t('picker_home') : place.name}
        {place.free_bytes !== null && (
          <span className="cap num">{t('free', { size: formats.bytes(place.free_bytes) })}</span>
        )}
      </Button>
    </li>
  );
}

/** Creates a folder in the one that is shown, and opens it. */
function NewFolder({ parent, onMade }: { parent: string; onMade: (path: string) => void }) {
  const { t } = useTranslation('vault_backups');
  const vocabulary = useVocabulary();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const make = useMutation({
    mutationFn: () => makeFolder(`${parent.replace(/[/\\]$/, '')}${parent.includes('\\') ? '\\' : '/'}${name.trim()}`),
    onSuccess: async ({ path }) => {
      await client.invalidateQueries();
      onMade(path);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The dialog is inside the form of the plan, which must not be sent with it.
    event.stopPropagation();
    if (name.trim() !== '') make.mutate();
  };
  return (
    <form className="picker-new" onSubmit={submit}>
      <Field label={t('picker_new')} error={make.isError ? vocabulary.error(make.error) : undefined}>
        {(control) => (
          <Input {...control} value={name} maxLength={120} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Button type="submit" glyph={FolderPlus} disabled={name.trim() === '' || make.isPending}>
        {t('picker_create')}
      </Button>
    </form>
  );
}
