import { Link } from '@tanstack/react-router';
import { Ellipsis, Pencil, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventDetail } from '../../../src-shared/contract/events.ts';
import { useTitles } from '../../client/document-title.ts';
import { useFormats } from '../../client/format.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { SideSheet } from '../../ui/dialog.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { colorOf } from './colors.ts';
import { EventDialog } from './event-dialog.tsx';
import { useEvent } from './queries.ts';
import { useEventActions } from './use-event-actions.ts';
import { useEventLabels } from './labels.ts';

/** The details of an event and its documents, beside the axis. */
export function EventSheet({ id, mayEdit, onClose }: { id: number; mayEdit: boolean; onClose: () => void }) {
  const { t } = useTranslation(['timeline', 'app']);
  const vocabulary = useVocabulary();
  const { data: event, error, refetch } = useEvent(id);
  const { remove, takeOut } = useEventActions();
  const [editing, setEditing] = useState(false);
  const drop = (target: EventDetail, documents: boolean): void =>
    remove.mutate({ event: target, documents }, { onSuccess: onClose });
  return (
    <SideSheet
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={event?.title ?? t('events')}
      closeLabel={t('close')}
    >
      {error && (
        <ErrorState
          message={vocabulary.error(error)}
          retryLabel={t('app:action.retry')}
          onRetry={() => void refetch()}
        />
      )}
      {!event && !error && <SkeletonLines count={5} label={t('loading')} />}
      {event && (
        <>
          <EventFacts event={event} />
          {mayEdit && (
            <div className="panel-body row tl-actions">
              <Button size="small" glyph={Pencil} onClick={() => setEditing(true)}>
                {t('edit')}
              </Button>
              <Menu align="start" trigger={<IconButton size="small" glyph={Ellipsis} label={t('remove')} />}>
                <MenuItem glyph={Trash2} onSelect={() => drop(event, false)}>
                  {t('remove_only')}
                </MenuItem>
                {event.documents.length > 0 && (
                  <MenuItem glyph={Trash2} isDangerous onSelect={() => drop(event, true)}>
                    {t('remove_all', { count: event.documents.length })}
                  </MenuItem>
                )}
              </Menu>
            </div>
          )}
          <Documents event={event} mayEdit={mayEdit} onTakeOut={(document) => takeOut.mutate({ event, document })} />
          {editing && (
            <EventDialog
              patient={event.patient_id}
              event={event}
              onClose={() => setEditing(false)}
              onSaved={() => undefined}
            />
          )}
        </>
      )}
    </SideSheet>
  );
}

function EventFacts({ event }: { event: EventDetail }) {
  const { t } = useTranslation('timeline');
  const eventLabels = useEventLabels();
  const facts = [
    [t('field_diagnosis'), [event.diagnosis_text, event.icd10_code].filter(Boolean).join(' · ')],
    [t('field_specialty'), event.specialty_text],
    [t('field_description'), event.description],
    [t('field_notes'), event.notes],
  ] as const;
  return (
    <div className="panel-body stack">
      <p className="row tl-actions">
        <i className="tl-dot" style={{ '--mark': colorOf(event.color, event.event_type) } as React.CSSProperties} />
        <span className="num">{eventLabels.when(event)}</span>
        <Tag>{eventLabels.type(event.event_type)}</Tag>
        {event.severity && (
          <Tag tone={event.severity === 'critical' || event.severity === 'severe' ? 'warn' : 'plain'}>
            {t(`severity_${event.severity}`)}
          </Tag>
        )}
      </p>
      {facts.some(([, text]) => text) && (
        <dl className="tl-facts">
          {facts
            .filter(([, text]) => text)
            .map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
        </dl>
      )}
    </div>
  );
}

function Documents({
  event,
  mayEdit,
  onTakeOut,
}: {
  event: EventDetail;
  mayEdit: boolean;
  onTakeOut: (document: EventDetail['documents'][number]) => void;
}) {
  const { t } = useTranslation('timeline');
  const formats = useFormats();
  const titles = useTitles();
  if (event.documents.length === 0) return <p className="panel-body cap">{t('no_documents')}</p>;
  return (
    <ul className="lines" aria-label={t('documents')}>
      {event.documents.map((item) => (
        <li key={item.id} className="tl-entry">
          <span className="tl-entry-words">
            <Link className="strong truncate" to="/documents/$id" params={{ id: String(item.id) }}>
              {titles.title(item)}
            </Link>
            <span className="cap truncate">{[titles.notable(item), item.doctor_name].filter(Boolean).join(' · ')}</span>
          </span>
          <span className="cap num">{formats.date(item.event_date)}</span>
          {mayEdit && (
            <IconButton
              size="small"
              glyph={X}
              label={t('take_out', { name: titles.title(item) })}
              onClick={() => onTakeOut(item)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
