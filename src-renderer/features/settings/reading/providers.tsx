import { ArrowDown, ArrowUp, FlaskConical, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState, type DragEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { isServiceType, type ProviderKind } from '../../../../src-shared/contract/provider-types.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Button } from '../../../ui/button.tsx';
import { Tag } from '../../../ui/chip.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Checkbox } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useAnnounce } from '../../../ui/live-region.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { draftOf, moved, newDraft } from './provider-draft.ts';
import { ProviderForm } from './provider-form.tsx';
import {
  useProviders,
  useSaveProviders,
  useTestProvider,
  type ProviderEntry,
  type ProviderRow,
} from './provider-queries.ts';
import { TestResult } from './test-result.tsx';

/** What a new entry is, mostly. */
const FIRST_TYPES = { llm: 'ollama', ocr: 'tesseract_remote', vision: 'ollama' } as const;

/** A list of providers in order of priority: the first is used, and after a failure the next. */
export function ProvidersPanel({ kind }: { kind: ProviderKind }) {
  const { t } = useTranslation('settings');
  const vocabulary = useVocabulary();
  const announce = useAnnounce();
  const [open, setOpen] = useState<string | null>(null);
  const [toRemove, setToRemove] = useState<ProviderRow | null>(null);
  const { data: rows, error, refetch } = useProviders(kind);
  const save = useSaveProviders(kind);
  const entries = (rows ?? []) as (ProviderRow & ProviderEntry)[];
  const close = (): void => {
    save.reset();
    setOpen(null);
  };
  const move = (from: number, to: number): void => {
    const name = entries[from]?.name;
    if (name === undefined || to < 0 || to >= entries.length || to === from) return;
    save.mutate({ entries: moved(entries, from, to), canUndo: true });
    announce(t('provider_moved', { name, position: to + 1, count: entries.length }));
  };
  const put = (entry: ProviderEntry): void => {
    const isKnown = entries.some(({ id }) => id === entry.id);
    const next = isKnown ? entries.map((row) => (row.id === entry.id ? entry : row)) : [entry, ...entries];
    save.mutate({ entries: next }, { onSuccess: close });
  };
  const form = (row: ProviderRow | null) => (
    <ProviderForm
      kind={kind}
      initial={row ? draftOf(row) : newDraft(FIRST_TYPES[kind], t(`provider_type_${FIRST_TYPES[kind]}`))}
      failure={save.error}
      isBusy={save.isPending}
      onSave={put}
      onCancel={close}
    />
  );
  return (
    <Panel
      title={t(`providers_${kind}`)}
      actions={
        open === null ? (
          <Button className="push" size="small" glyph={Plus} onClick={() => setOpen('')}>
            {t('provider_add')}
          </Button>
        ) : undefined
      }
    >
      <p className="panel-body">{t(`providers_${kind}_text`)}</p>
      {error && <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />}
      {!rows && !error && <SkeletonLines count={2} label={t('loading')} />}
      <ul className="lines">
        {open === '' && <li>{form(null)}</li>}
        {entries.map((row, index) =>
          open === row.id ? (
            <li key={row.id}>{form(row)}</li>
          ) : (
            <ProviderLine
              key={row.id}
              {...{ kind, row, index, count: entries.length }}
              onMove={(to) => move(index, to)}
              onDrop={(from) => move(from, index)}
              onSwitch={(enabled) =>
                save.mutate({ entries: entries.map((one) => (one === row ? { ...one, enabled } : one)), canUndo: true })
              }
              onEdit={() => setOpen(row.id)}
              onRemove={() => setToRemove(row)}
            />
          ),
        )}
      </ul>
      <Dialog
        open={toRemove !== null}
        onOpenChange={() => setToRemove(null)}
        title={t('user_remove_title', { name: toRemove?.name ?? '' })}
      >
        <p>{t('provider_remove_text')}</p>
        <div className="dialog-actions">
          <Button onClick={() => setToRemove(null)}>{t('cancel')}</Button>
          <Button
            variant="danger"
            onClick={() => {
              save.mutate({ entries: entries.filter(({ id }) => id !== toRemove?.id) });
              setToRemove(null);
            }}
          >
            {t('user_remove')}
          </Button>
        </div>
      </Dialog>
    </Panel>
  );
}

interface LineProps {
  kind: ProviderKind;
  row: ProviderRow;
  index: number;
  count: number;
  /** Moves this line to a place. */
  onMove: (to: number) => void;
  /** Moves the dropped line to this place. */
  onDrop: (from: number) => void;
  onSwitch: (enabled: boolean) => void;
  onEdit: () => void;
  onRemove: () => void;
}

const DRAG_TYPE = (kind: ProviderKind): string => `application/x-hearth-${kind}`;

function ProviderLine({ kind, row, index, count, onMove, onDrop, onSwitch, onEdit, onRemove }: LineProps) {
  const { t } = useTranslation('settings');
  const test = useTestProvider(kind);
  const [isOver, setIsOver] = useState(false);
  const { name } = row;
  const drag = {
    draggable: true,
    onDragStart: (event: DragEvent) => event.dataTransfer.setData(DRAG_TYPE(kind), String(index)),
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(DRAG_TYPE(kind))) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      onDrop(Number(event.dataTransfer.getData(DRAG_TYPE(kind))));
    },
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || by === undefined) return;
    event.preventDefault();
    onMove(index + by);
  };
  return (
    <li className="provider-row" data-over={isOver || undefined} {...drag} onKeyDown={onKeyDown}>
      <Checkbox
        label={t('provider_use', { name })}
        hideLabel
        checked={row.enabled}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      <span className="provider-name">
        <span className="strong">{name}</span>{' '}
        <span className="cap">{describe(t(`provider_type_${row.type}`), row)}</span>
      </span>
      <Tag tone={row.reach === 'internet' ? 'warn' : 'plain'}>{t(`reach_${REACH_KEYS[row.reach]}`)}</Tag>
      <span className="row provider-actions">
        <IconButton
          size="small"
          glyph={ArrowUp}
          keys="Alt ↑"
          label={t('provider_up', { name })}
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        />
        <IconButton
          size="small"
          glyph={ArrowDown}
          keys="Alt ↓"
          label={t('provider_down', { name })}
          disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        />
        <IconButton
          size="small"
          glyph={FlaskConical}
          label={t('provider_test_of', { name })}
          disabled={test.isPending}
          onClick={() => test.mutate({ provider_id: row.id })}
        />
        <IconButton size="small" glyph={Pencil} label={t('user_edit', { name })} onClick={onEdit} />
        <IconButton size="small" glyph={Trash2} label={t('user_remove_of', { name })} onClick={onRemove} />
      </span>
      {(test.data || test.error || test.isPending) && (
        <span className="provider-result">
          {test.isPending ? t('provider_testing') : <TestResult result={test.data} error={test.error} />}
        </span>
      )}
    </li>
  );
}

const REACH_KEYS = { 'this-computer': 'here', 'home-network': 'home', internet: 'internet' } as const;

/** The type, and for a service its model. */
const describe = (type: string, row: ProviderRow): string =>
  isServiceType(row.type) && 'model' in row && row.model !== '' ? `${type} · ${row.model}` : type;
