import {
  ChevronDown,
  ChevronRight,
  Ellipsis,
  File,
  FileQuestionMark,
  FileText,
  Folder,
  FolderOpen,
  Scan,
} from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useState, type DragEvent, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { VaultEntry } from '../../../src-shared/contract/vault-files.ts';
import { useFormats } from '../../client/format.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuRule } from '../../ui/menu.tsx';
import type { TreeRow } from './places.ts';

interface Props {
  ref: Ref<HTMLTableRowElement>;
  index: number;
  row: TreeRow;
  isFlat: boolean;
  isActive: boolean;
  /** Whether the dragged entry may be dropped here. */
  isTarget: boolean;
  onFocus: () => void;
  onOpen: () => void;
  onAskMove: () => void;
  onRemove: () => void;
  onDrag: (path: string | null) => void;
  onDrop: () => void;
}

const GLYPHS = { document: FileText, imaging: Scan, waiting: File, foreign: FileQuestionMark } as const;
const TOP = { inbox: 'folder_inbox', patients: 'folder_patients', unclassified: 'folder_unclassified' } as const;

/** One folder or file. */
export function EntryRow({
  ref,
  index,
  row: { entry, level, isOpen },
  isFlat,
  isActive,
  isTarget,
  onFocus,
  onOpen,
  onAskMove,
  onRemove,
  onDrag,
  onDrop,
}: Props) {
  const { t } = useTranslation('vault_files');
  const formats = useFormats();
  const { isOver, ...dragging } = useDragAndDrop({ entry, isTarget, onDrag, onDrop });
  const isFolder = entry.type === 'dir';
  const ownName = entry.path in TOP ? t(TOP[entry.path as keyof typeof TOP]) : entry.name;
  const name = isFlat ? entry.path : ownName;
  return (
    <tr
      ref={ref}
      data-index={index}
      aria-level={level}
      aria-rowindex={index + 2}
      aria-expanded={isFolder && !isFlat ? isOpen : undefined}
      tabIndex={isActive ? 0 : -1}
      className={classNames(isActive && 'active', isOver && isTarget && 'vault-over')}
      onFocus={onFocus}
      {...dragging}
    >
      <td className="vault-name">
        <span className="row" style={{ paddingInlineStart: `${(level - 1) * 18}px` }}>
          <EntryName entry={entry} name={name} isOpen={isOpen} onOpen={onOpen} />
          {entry.document_name !== null && entry.document_name !== entry.name && (
            <span className="cap truncate">{entry.document_name}</span>
          )}
        </span>
      </td>
      <td className="vault-state">
        <StateTag entry={entry} />
      </td>
      <td className="r num vault-files">{isFolder && formats.count(entry.files)}</td>
      <td className="r num">{formats.bytes(entry.size)}</td>
      <td className="r vault-menu">
        <EntryMenu entry={entry} isActive={isActive} onOpen={onOpen} onAskMove={onAskMove} onRemove={onRemove} />
      </td>
    </tr>
  );
}

/** Attributes that make a line draggable and a drop target. */
function useDragAndDrop({
  entry,
  isTarget,
  onDrag,
  onDrop,
}: Pick<Props, 'isTarget' | 'onDrag' | 'onDrop'> & EntryProps) {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    draggable: entry.writable,
    onDragStart: (event: DragEvent): void => {
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', entry.path);
      onDrag(entry.path);
    },
    onDragEnd: () => onDrag(null),
    onDragOver: (event: DragEvent): void => {
      if (!isTarget) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent): void => {
      event.preventDefault();
      setIsOver(false);
      if (isTarget) onDrop();
    },
  };
}

interface EntryProps {
  entry: VaultEntry;
}

function EntryName({
  entry,
  name,
  isOpen,
  onOpen,
}: EntryProps & { name: string; isOpen: boolean; onOpen: () => void }) {
  const { t } = useTranslation('vault_files');
  if (entry.type !== 'dir')
    return (
      <>
        <span className="vault-indent" />
        <Icon glyph={GLYPHS[entry.state ?? 'foreign']} />
        <FileName entry={entry} name={name} />
      </>
    );
  return (
    <button
      type="button"
      className="vault-open"
      tabIndex={-1}
      aria-label={t(isOpen ? 'collapse' : 'expand', { name })}
      title={entry.path}
      onClick={onOpen}
    >
      <Icon glyph={isOpen ? ChevronDown : ChevronRight} />
      <Icon glyph={isOpen ? FolderOpen : Folder} />
      <span className="truncate strong">{name}</span>
    </button>
  );
}

function EntryMenu({
  entry,
  isActive,
  onOpen,
  onAskMove,
  onRemove,
}: EntryProps & Pick<Props, 'isActive' | 'onOpen' | 'onAskMove' | 'onRemove'>) {
  const { t } = useTranslation('vault_files');
  if (!entry.writable && entry.document_id === null) return null;
  return (
    <Menu
      trigger={
        <IconButton
          glyph={Ellipsis}
          size="small"
          label={t('actions_for', { name: entry.name })}
          tabIndex={isActive ? 0 : -1}
        />
      }
    >
      {entry.document_id !== null && <MenuItem onSelect={onOpen}>{t('open_document')}</MenuItem>}
      <MenuItem keys="m" disabled={!entry.writable} onSelect={onAskMove}>
        {t('move')}
      </MenuItem>
      {entry.type !== 'dir' && (
        <>
          <MenuRule />
          <MenuItem isDangerous disabled={!entry.writable} onSelect={onRemove}>
            {t('remove')}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** The file name; a link if the file belongs to a document. */
function FileName({ entry: { path, document_id: id }, name }: { entry: VaultEntry; name: string }) {
  if (id === null)
    return (
      <span className="truncate mono" title={path}>
        {name}
      </span>
    );
  return (
    <Link
      to="/documents/$id"
      params={{ id: String(id) }}
      className="truncate mono"
      tabIndex={-1}
      title={path}
      draggable={false}
    >
      {name}
    </Link>
  );
}

function StateTag({ entry: { state, foreign, type } }: { entry: VaultEntry }) {
  const { t } = useTranslation('vault_files');
  if (type === 'dir') return foreign > 0 ? <Tag tone="warn">{t('foreign_count', { count: foreign })}</Tag> : null;
  if (state === 'foreign') return <Tag tone="warn">{t('state_foreign')}</Tag>;
  return <span className="cap">{state && t(`state_${state}`)}</span>;
}
