import { Link } from '@tanstack/react-router';
import { Check, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { NameRow, NameType } from '../../../src-shared/contract/names.ts';
import { useEntryName } from '../../client/entry-name.ts';
import { useFormats } from '../../client/format.ts';
import { useTitles } from '../../client/document-title.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { SideSheet } from '../../ui/dialog.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { Aliases } from './aliases.tsx';
import { EntryForm } from './entry-form.tsx';
import { useCategoryText } from './category-field.tsx';
import { FIELDS, valuesOf } from './fields.ts';
import { useEntry, useEntryDocuments } from './queries.ts';
import type { NameActions } from './use-actions.ts';

interface Props {
  type: NameType;
  id: number;
  mayEdit: boolean;
  actions: NameActions;
  onOpen: (id: number | null) => void;
}

/** One entry beside the table: its fields, its spellings, and the documents that use it. */
export function EntrySheet({ type, id, mayEdit, actions, onOpen }: Props) {
  const { t } = useTranslation(['names', 'app']);
  const vocabulary = useVocabulary();
  const nameOf = useEntryName();
  const { data: entry, error, refetch } = useEntry(type, id);
  const close = (): void => onOpen(null);
  return (
    <SideSheet
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
      title={entry ? nameOf(entry) : t('title')}
      closeLabel={t('close')}
    >
      {error && (
        <ErrorState
          message={vocabulary.error(error)}
          retryLabel={t('app:action.retry')}
          onRetry={() => void refetch()}
        />
      )}
      {!entry && !error && <SkeletonLines count={6} label={t('loading')} />}
      {entry && (
        <div className="names-sheet">
          {mayEdit ? (
            <EntryForm
              key={entry.id}
              type={type}
              entry={entry}
              actions={actions}
              onMerge={(target) =>
                void actions.merge([entry], target).then((done) => {
                  if (done) onOpen(target.id);
                })
              }
            />
          ) : (
            <Facts type={type} entry={entry} />
          )}
          <Aliases entry={entry} mayEdit={mayEdit} actions={actions} />
          <EntryDocuments type={type} entry={entry} />
          {mayEdit && <EntryButtons entry={entry} actions={actions} onClose={close} />}
        </div>
      )}
    </SideSheet>
  );
}

function EntryButtons({ entry, actions, onClose }: Pick<Props, 'actions'> & { entry: NameRow; onClose: () => void }) {
  const { t } = useTranslation('names');
  return (
    <div className="panel-body row">
      {entry.unreviewed_count > 0 && (
        <Button size="small" glyph={Check} disabled={actions.busy} onClick={() => void actions.confirm([entry])}>
          {t('confirm')}
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        glyph={Trash2}
        disabled={actions.busy}
        onClick={() => {
          onClose();
          void actions.remove([entry]);
        }}
      >
        {t('remove')}
      </Button>
    </div>
  );
}

/** The fields as text, for users who may not edit. */
function Facts({ type, entry }: { type: NameType; entry: NameRow }) {
  const { t } = useTranslation('names');
  const category = useCategoryText();
  const values = valuesOf(type, entry, useEntryName()(entry));
  return (
    <dl className="names-part names-facts" aria-label={t('details')}>
      {FIELDS[type]
        .filter((field) => values[field])
        .map((field) => (
          <div key={field} className="names-fact">
            <dt>{t(`field_${field}`)}</dt>
            <dd>{field === 'category' ? category(values[field] ?? '') : values[field]}</dd>
          </div>
        ))}
    </dl>
  );
}

function EntryDocuments({ type, entry }: { type: NameType; entry: NameRow }) {
  const { t } = useTranslation(['names', 'app']);
  const vocabulary = useVocabulary();
  const titles = useTitles();
  const formats = useFormats();
  const { data, error, refetch } = useEntryDocuments(type, entry.id);
  return (
    <section className="names-part" aria-label={t('documents')}>
      <h3>
        {t('documents')} {data && <span className="cap num">{formats.count(data.total)}</span>}
      </h3>
      {error && (
        <ErrorState
          message={vocabulary.error(error)}
          retryLabel={t('app:action.retry')}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <SkeletonLines count={3} label={t('loading')} />}
      {data?.items.length === 0 && <p className="cap">{t('documents_none')}</p>}
      {data && data.items.length > 0 && (
        <ul className="names-documents">
          {data.items.map((item) => (
            <li key={item.id}>
              <Link
                to="/documents/$id"
                params={{ id: String(item.id) }}
                search={(search) => ({ patient: search.patient })}
                className="truncate"
              >
                {titles.title({ ...item, highlights: null })}
              </Link>
              <span className="cap num">
                {[formats.date(item.event_date), item.patient_name].filter(Boolean).join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {data && data.total > data.items.length && (
        <p className="cap num">{t('documents_more', { count: data.items.length, total: formats.count(data.total) })}</p>
      )}
    </section>
  );
}
