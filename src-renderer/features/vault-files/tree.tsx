import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { VaultEntry } from '../../../src-shared/contract/vault-files.ts';
import { useShortcuts } from '../../client/shortcuts.ts';
import { useRows } from '../../ui/table/use-rows.ts';
import '../../ui/table/table.css';
import { canMoveInto, parentOf, type TreeRow } from './places.ts';
import { EntryRow } from './row.tsx';

interface Props {
  rows: readonly TreeRow[];
  /** Shows full paths without folders. */
  isFlat: boolean;
  /** The path to focus, from the address. */
  initialPath: string | undefined;
  onToggle: (path: string) => void;
  onMove: (from: string, to: string) => void;
  onAskMove: (entry: VaultEntry) => void;
  onRemove: (entry: VaultEntry) => void;
}

/** The folder tree as a treegrid (ARIA Authoring Practices): one line has the focus; keys and drags act on lines. */
export function Tree({ rows, isFlat, initialPath, onToggle, onMove, onAskMove, onRemove }: Props) {
  const { t } = useTranslation('vault_files');
  const navigate = useNavigate();
  const [activePath, setActivePath] = useState<string | undefined>(initialPath);
  const [draggedPath, setDragged] = useState<string | null>(null);
  const activeIndex = rows.findIndex(({ entry }) => entry.path === (activePath ?? initialPath));
  const active = Math.max(0, activeIndex);
  const ids = rows.map((_row, index) => index);
  const { body, measure, rendered, above, below } = useRows({ ids, active, onEnd: () => undefined });
  const focusActiveRow = useRowFocus(body);
  const go = (index: number): void => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (!row) return;
    focusActiveRow();
    setActivePath(row.entry.path);
  };
  const openEntry = ({ type, path, document_id: id }: VaultEntry): void => {
    if (type === 'dir') onToggle(path);
    else if (id !== null) void navigate({ to: '/documents/$id', params: { id: String(id) } });
  };
  useShortcuts({ j: () => go(active + 1), k: () => go(active - 1) });

  const actions = keyActions({ rows, active, go, openEntry, onToggle, onAskMove, onRemove });
  return (
    // ARIA in HTML allows the role treegrid on a table.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
    <table className="table vault-tree" role="treegrid" aria-label={t('tree')} aria-rowcount={rows.length + 1}>
      <TreeHead />
      <tbody ref={body} onKeyDown={(event) => runKeyAction(event, actions, rows[active])}>
        <Gap height={above} />
        {rendered.map(({ index, key }) => {
          const row = rows[index];
          if (!row) return null;
          const { path } = row.entry;
          return (
            <EntryRow
              key={String(key)}
              ref={measure}
              index={index}
              row={row}
              isFlat={isFlat}
              isActive={index === active}
              isTarget={draggedPath !== null && row.entry.type === 'dir' && canMoveInto(draggedPath, path)}
              onFocus={() => setActivePath(path)}
              onOpen={() => openEntry(row.entry)}
              onAskMove={() => onAskMove(row.entry)}
              onRemove={() => onRemove(row.entry)}
              onDrag={setDragged}
              onDrop={() => {
                if (draggedPath !== null) onMove(draggedPath, `${path}/`);
                setDragged(null);
              }}
            />
          );
        })}
        <Gap height={below} />
      </tbody>
    </table>
  );
}

/** Fills the height of lines outside the viewport. */
const Gap = ({ height }: { height: number }) =>
  height > 0 ? <tr aria-hidden="true" className="vault-gap" style={{ height }} /> : null;

function TreeHead() {
  const { t } = useTranslation('vault_files');
  return (
    <thead>
      <tr>
        <th scope="col">{t('name')}</th>
        <th scope="col" className="vault-state">
          {t('state')}
        </th>
        <th scope="col" className="r vault-files">
          {t('files')}
        </th>
        <th scope="col" className="r">
          {t('size')}
        </th>
        <th scope="col">
          <span className="sr-only">{t('actions')}</span>
        </th>
      </tr>
    </thead>
  );
}

/** Returns a function that focuses the active row after the next render. */
function useRowFocus(body: RefObject<HTMLElement | null>): () => void {
  const wantsFocus = useRef(false);
  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    body.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus();
  });
  return () => {
    wantsFocus.current = true;
  };
}

type KeyActions = Record<string, (row: TreeRow) => void>;

/** Acts on the focused row; buttons and menus within a row keep their keys. */
function runKeyAction(event: KeyboardEvent, actions: KeyActions, row: TreeRow | undefined): void {
  const act = actions[event.key];
  const hasModifier = event.metaKey || event.ctrlKey || event.altKey;
  if (!row || !act || hasModifier || !(event.target instanceof HTMLTableRowElement)) return;
  event.preventDefault();
  act(row);
}

interface KeyDeps extends Pick<Props, 'rows' | 'onToggle' | 'onAskMove' | 'onRemove'> {
  active: number;
  go: (index: number) => void;
  openEntry: (entry: VaultEntry) => void;
}

/** The action of each key on the focused line. */
function keyActions({ rows, active, go, openEntry, onToggle, onAskMove, onRemove }: KeyDeps): KeyActions {
  const move = ({ entry }: TreeRow): void => {
    if (entry.writable) onAskMove(entry);
  };
  return {
    ArrowDown: () => go(active + 1),
    ArrowUp: () => go(active - 1),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    ArrowRight: ({ entry, isOpen }) => (entry.type === 'dir' && !isOpen ? onToggle(entry.path) : go(active + 1)),
    ArrowLeft: ({ entry, isOpen }) =>
      isOpen ? onToggle(entry.path) : go(rows.findIndex((row) => row.entry.path === parentOf(entry.path))),
    Enter: ({ entry }) => openEntry(entry),
    ' ': ({ entry }) => openEntry(entry),
    m: move,
    F2: move,
    Delete: ({ entry }) => {
      if (entry.writable && entry.type === 'file') onRemove(entry);
    },
  };
}
