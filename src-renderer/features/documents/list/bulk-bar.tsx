import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw, Share2, Tag as TagGlyph, Trash2, UserRound, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { undoMove } from '../../../client/undo-move.ts';
import { usePatients } from '../../../client/session.tsx';
import { useShareDocuments } from '../../../client/share-documents.ts';
import { useShortcuts } from '../../../client/shortcuts.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Input } from '../../../ui/field.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { useToasts } from '../../../client/toasts.tsx';
import type { Message } from '../../../client/words.ts';
import { BulkEvent } from './bulk-event.tsx';

type Action = (id: number) => Promise<() => Promise<unknown>>;

interface Props {
  ids: readonly number[];
  items: readonly DocumentListItem[];
  onDone: () => void;
}

/** Runs an action on every selected document; shows one toast with undo, and how many failed. */
function useBulkAction({ ids, onDone }: Pick<Props, 'ids' | 'onDone'>) {
  const client = useQueryClient();
  const { show, begin } = useToasts();
  const refresh = (): void => {
    for (const queryKey of [
      cacheKeys.documents,
      cacheKeys.events,
      cacheKeys.timeline,
      cacheKeys.today,
      cacheKeys.trash,
    ])
      void client.invalidateQueries({ queryKey });
  };
  return useMutation({
    mutationFn: async ({ action }: { action: Action; text: Message }) => {
      const results = await Promise.allSettled(ids.map(action));
      return {
        undos: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
        failures: results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])),
      };
    },
    onMutate: begin,
    onSuccess: ({ undos, failures }, { text }, change) => {
      refresh();
      onDone();
      if (undos.length === 0) change.drop();
      else
        change.done({
          text,
          undo: async () => {
            await Promise.all(undos.map((undo) => undo()));
            refresh();
          },
        });
      if (failures.length > 0)
        show({
          text: ({ t, vocabulary }) =>
            t('documents.partly', {
              failed: failures.length,
              count: ids.length,
              reason: vocabulary.error(failures[0]),
            }),
          tone: 'bad',
        });
    },
  });
}

const params = (id: number) => ({ id: String(id) });

const remove: Action = async (id) => {
  const { trash_id: trashId } = await call(contract.documents.remove, { params: params(id) });
  return () => call(contract.trash.restore, { params: params(trashId) });
};

const reprocess: Action = async (id) => {
  await call(contract.documents.reprocess, { params: params(id), body: { mode: 'both' } });
  return () => call(contract.documents.cancel, { params: params(id) });
};

/** Actions that change a field; undo writes the previous value of each document back. */
const editActions = (items: readonly DocumentListItem[]) => ({
  moveTo:
    (patient: number): Action =>
    async (id) => {
      const before = await call(contract.documents.get, { params: params(id) });
      await call(contract.documents.move, { params: params(id), body: { patient_id: patient } });
      return () => undoMove(before);
    },
  addTag:
    (name: string): Action =>
    async (id) => {
      const before = items.find((item) => item.id === id)?.tags ?? '';
      await call(contract.documents.update, {
        params: params(id),
        body: { tags: [before, name].filter(Boolean).join(',') },
      });
      return () => call(contract.documents.update, { params: params(id), body: { tags: before } });
    },
  addToEvent:
    (eventId: number): Action =>
    async (id) => {
      const { event_links } = await call(contract.documents.get, { params: params(id) });
      await call(contract.documents.update, { params: params(id), body: { event_id: eventId } });
      return () => call(contract.documents.update, { params: params(id), body: { event_links } });
    },
});

/** Actions on several documents at once; each can be undone. */
export function BulkBar({ ids, items, onDone }: Props) {
  const { t } = useTranslation();
  const patients = usePatients();
  const count = ids.length;
  const bulk = useBulkAction({ ids, onDone });
  const { moveTo, addTag, addToEvent } = editActions(items);
  const owners = new Set(ids.map((id) => items.find((item) => item.id === id)?.patient_id ?? null));
  const [owner] = owners.size === 1 ? owners : [null];
  const removeAll = (): void =>
    bulk.mutate({ action: remove, text: (words) => words.t('documents.deleted', { count }) });
  const reprocessAll = (): void =>
    bulk.mutate({ action: reprocess, text: (words) => words.t('documents.queued', { count }) });
  const share = useShareDocuments(owner, ids);
  useShortcuts({ Delete: removeAll, Backspace: removeAll, r: reprocessAll, ...(share && { s: share }) });
  return (
    <div className="bulk-bar" role="toolbar" aria-label={t('documents.bulk')}>
      <strong className="num">{t('documents.selected', { count: ids.length })}</strong>
      <Menu
        trigger={
          <Button size="small" glyph={UserRound}>
            {t('action.move')}
          </Button>
        }
      >
        {patients.map((patient) => (
          <MenuItem
            key={patient.id}
            onSelect={() =>
              bulk.mutate({
                action: moveTo(patient.id),
                text: (words) => words.t('documents.moved', { count, name: patient.display_name }),
              })
            }
          >
            {patient.display_name}
          </MenuItem>
        ))}
      </Menu>
      <TagPopover
        onApply={(tag) => bulk.mutate({ action: addTag(tag), text: (words) => words.t('documents.tagged', { count }) })}
      />
      {owner != null && (
        <BulkEvent
          patientId={owner}
          onChoose={(event) =>
            bulk.mutate({
              action: addToEvent(event.id),
              text: (words) => words.t('documents.in_event', { count, title: event.title }),
            })
          }
        />
      )}
      {share && (
        <Button size="small" glyph={Share2} onClick={share}>
          {t('action.share')}
        </Button>
      )}
      <Button size="small" glyph={RefreshCw} onClick={reprocessAll}>
        {t('action.reprocess')}
      </Button>
      <Button size="small" glyph={Trash2} onClick={removeAll}>
        {t('action.delete')}
      </Button>
      <IconButton size="small" glyph={X} label={t('documents.clear_selection')} onClick={onDone} />
    </div>
  );
}

function TagPopover({ onApply }: { onApply: (tag: string) => void }) {
  const { t } = useTranslation();
  const [tag, setTag] = useState('');
  return (
    <Popover
      label={t('documents.tag_label')}
      trigger={
        <Button size="small" glyph={TagGlyph}>
          {t('action.tag')}
        </Button>
      }
    >
      <form
        className="popover-body"
        onSubmit={(event) => {
          event.preventDefault();
          if (tag.trim()) onApply(tag.trim());
          setTag('');
        }}
      >
        <Input
          aria-label={t('documents.tag_label')}
          autoFocus
          value={tag}
          onChange={(event) => setTag(event.target.value)}
        />
        <Button type="submit" variant="primary">
          {t('action.apply')}
        </Button>
      </form>
    </Popover>
  );
}
