import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { VaultEntry } from '../../../src-shared/contract/vault-files.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { CheckPanel } from './check-panel.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { foldersAbove, filesWithoutDocument, visibleRows, type TreeRow } from './places.ts';
import { useFileActions, useFolders, useWholeTree } from './queries.ts';
import { Tree } from './tree.tsx';
import './vault-files.css';

/** Shows the folders and files of the vault as on disk. */
export default function VaultFilesPage() {
  const { t } = useTranslation('vault_files');
  const vocabulary = useVocabulary();
  const { show, path: initialPath } = useSearch({ from: '/frame/vault' });
  const onlyForeign = show === 'foreign';
  const [open, toggle] = useOpenFolders(initialPath);
  const [entryToMove, setMoving] = useState<VaultEntry | null>(null);
  const { root, childrenOf } = useFolders(open);
  const whole = useWholeTree(onlyForeign);
  const acts = useFileActions();
  const { data, error, refetch } = onlyForeign ? whole : root;
  const rows: TreeRow[] | undefined =
    data &&
    (onlyForeign
      ? filesWithoutDocument(data).map((entry) => ({ entry, level: 1, isOpen: false }))
      : visibleRows(data.children, new Set(open), childrenOf));
  return (
    <div className="page">
      <PageHead onlyForeign={onlyForeign} root={root.data} />
      <div className="vault-page">
        <CheckPanel />
        <section className="panel table-panel" aria-label={t('tree')}>
          {error && !data && (
            <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
          )}
          {!data && !error && <SkeletonLines count={8} label={t('loading')} />}
          {rows && <NoFiles onlyForeign={onlyForeign} isEmpty={onlyForeign ? rows.length === 0 : data?.files === 0} />}
          {rows && rows.length > 0 && (
            <Tree
              key={onlyForeign ? 'foreign' : 'all'}
              rows={rows}
              isFlat={onlyForeign}
              initialPath={initialPath}
              onToggle={toggle}
              onMove={(from, to) => acts.move.mutate({ from, to })}
              onAskMove={setMoving}
              onRemove={(entry) => acts.remove.mutate(entry.path)}
            />
          )}
        </section>
        <p className="cap vault-keys">{t('keys')}</p>
      </div>
      {entryToMove && (
        <MoveDialog
          key={entryToMove.path}
          entry={entryToMove}
          onClose={() => setMoving(null)}
          onMove={(to) => {
            setMoving(null);
            acts.move.mutate({ from: entryToMove.path, to });
          }}
        />
      )}
    </div>
  );
}

function PageHead({
  onlyForeign,
  root,
}: {
  onlyForeign: boolean;
  root: ReturnType<typeof useFolders>['root']['data'];
}) {
  const { t } = useTranslation('vault_files');
  const formats = useFormats();
  return (
    <div className="page-head">
      <h1>{t('title')}</h1>
      {root && <span className="cap num">{t('summary', { count: root.files, size: formats.bytes(root.size) })}</span>}
      <StateFilter onlyForeign={onlyForeign} foreignCount={root?.foreign ?? 0} />
    </div>
  );
}

/** Open folders; those above a path from the address open with it. */
function useOpenFolders(initialPath: string | undefined): [readonly string[], (path: string) => void] {
  const [open, setOpen] = useState<readonly string[]>(() => [
    ...new Set(['patients', ...(initialPath === undefined ? [] : foldersAbove(initialPath))]),
  ]);
  const [lastPath, setLastPath] = useState(initialPath);
  if (lastPath !== initialPath) {
    setLastPath(initialPath);
    if (initialPath !== undefined) setOpen([...new Set([...open, ...foldersAbove(initialPath)])]);
  }
  const toggle = (path: string): void =>
    setOpen(open.includes(path) ? open.filter((other) => other !== path) : [...open, path]);
  return [open, toggle];
}

function StateFilter({ onlyForeign, foreignCount }: { onlyForeign: boolean; foreignCount: number }) {
  const { t } = useTranslation('vault_files');
  const formats = useFormats();
  const navigate = useNavigate({ from: '/vault' });
  const select = (show: 'foreign' | undefined): void =>
    void navigate({ search: (before) => ({ ...before, show }), replace: true });
  return (
    <span className="push" role="group" aria-label={t('state')}>
      <Chip isOn={!onlyForeign} aria-pressed={!onlyForeign} onClick={() => select(undefined)}>
        {t('all')}
      </Chip>
      <Chip isOn={onlyForeign} aria-pressed={onlyForeign} onClick={() => select('foreign')}>
        {t('foreign_filter')}
        {foreignCount > 0 && ` · ${formats.count(foreignCount)}`}
      </Chip>
    </span>
  );
}

function NoFiles({ onlyForeign, isEmpty }: { onlyForeign: boolean; isEmpty: boolean }) {
  const { t } = useTranslation('vault_files');
  if (!isEmpty) return null;
  return onlyForeign ? (
    <EmptyState title={t('foreign_none')}>{t('foreign_none_text')}</EmptyState>
  ) : (
    <EmptyState title={t('empty')}>{t('empty_text')}</EmptyState>
  );
}
