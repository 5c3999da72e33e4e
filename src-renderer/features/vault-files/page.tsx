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
import { foldersAbove, strays, visibleRows, type TreeRow } from './places.ts';
import { useFileActs, useFolders, useWholeTree } from './queries.ts';
import { Tree } from './tree.tsx';
import './vault-files.css';

/** Shows the folders and files of the vault as on disk. */
export default function VaultFilesPage() {
  const { t } = useTranslation('vault_files');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const navigate = useNavigate({ from: '/vault' });
  const { show, path: wanted } = useSearch({ from: '/frame/vault' });
  const onlyForeign = show === 'foreign';
  const [open, setOpen] = useState<readonly string[]>(() => [
    ...new Set(['patients', ...(wanted === undefined ? [] : foldersAbove(wanted))]),
  ]);
  const [shownFor, setShownFor] = useState(wanted);
  // A place that is asked for later opens its folders, too.
  if (shownFor !== wanted) {
    setShownFor(wanted);
    if (wanted !== undefined) setOpen([...new Set([...open, ...foldersAbove(wanted)])]);
  }
  const [moving, setMoving] = useState<VaultEntry | null>(null);
  const { root, childrenOf } = useFolders(open);
  const whole = useWholeTree(onlyForeign);
  const acts = useFileActs();
  const { data, error, refetch } = onlyForeign ? whole : root;
  const rows: TreeRow[] | undefined =
    data &&
    (onlyForeign
      ? strays(data).map((entry) => ({ entry, level: 1, isOpen: false }))
      : visibleRows(data.children, new Set(open), childrenOf));
  const toggle = (path: string): void =>
    setOpen(open.includes(path) ? open.filter((other) => other !== path) : [...open, path]);
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t('title')}</h1>
        {root.data && (
          <span className="cap num">
            {t('summary', { count: root.data.files, size: formats.bytes(root.data.size) })}
          </span>
        )}
        <span className="push" role="group" aria-label={t('state')}>
          <Chip
            on={!onlyForeign}
            aria-pressed={!onlyForeign}
            onClick={() => void navigate({ search: (before) => ({ ...before, show: undefined }), replace: true })}
          >
            {t('all')}
          </Chip>
          <Chip
            on={onlyForeign}
            aria-pressed={onlyForeign}
            onClick={() => void navigate({ search: (before) => ({ ...before, show: 'foreign' }), replace: true })}
          >
            {t('foreign_filter')}
            {root.data !== undefined && root.data.foreign > 0 && ` · ${formats.count(root.data.foreign)}`}
          </Chip>
        </span>
      </div>
      <div className="vault-page">
        <CheckPanel />
        <section className="panel table-panel" aria-label={t('tree')}>
          {error && !data && (
            <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
          )}
          {!data && !error && <SkeletonLines count={8} label={t('loading')} />}
          {rows && onlyForeign && rows.length === 0 && (
            <EmptyState title={t('foreign_none')}>{t('foreign_none_text')}</EmptyState>
          )}
          {rows && !onlyForeign && data?.files === 0 && <EmptyState title={t('empty')}>{t('empty_text')}</EmptyState>}
          {rows && rows.length > 0 && (
            <Tree
              key={onlyForeign ? 'foreign' : 'all'}
              rows={rows}
              flat={onlyForeign}
              wanted={wanted}
              onToggle={toggle}
              onMove={(from, to) => acts.move.mutate({ from, to })}
              onAskMove={setMoving}
              onRemove={(entry) => acts.remove.mutate(entry.path)}
            />
          )}
        </section>
        <p className="cap vault-keys">{t('keys')}</p>
      </div>
      {moving && (
        <MoveDialog
          key={moving.path}
          entry={moving}
          onClose={() => setMoving(null)}
          onMove={(to) => {
            setMoving(null);
            acts.move.mutate({ from: moving.path, to });
          }}
        />
      )}
    </div>
  );
}
