import { Link } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { MAX_SHARED_DOCUMENTS, type Share, type ShareEvent } from '../../../src-shared/contract/shares.ts';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import { ApiError } from '../../client/api.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ErrorState, SkeletonLines } from '../../ui/states.tsx';
import type { ShareLabels } from './labels.ts';
import { PageMini } from './page-mini.tsx';
import { DocumentPicker } from './picker.tsx';
import { useAddDocuments, useTakeOut, useUnopenable, type useSharedDocuments } from './queries.ts';
import { openedCounts } from './story.ts';
import { Unopenable } from './unopenable.tsx';

/** The documents of a share, how often each was opened, and the way to add more. */
export function DocumentsPanel({
  share,
  query: { data, error, refetch },
  trail,
  isOver,
  labels,
}: {
  share: Share;
  query: ReturnType<typeof useSharedDocuments>;
  trail: readonly ShareEvent[];
  isOver: boolean;
  labels: ShareLabels;
}) {
  const { t } = labels;
  const vocabulary = useVocabulary();
  const [isPicking, setPicking] = useState(false);
  const add = useAddDocuments();
  const takeOut = useTakeOut();
  const opened = openedCounts(trail);
  const shown = isOver ? [] : (data ?? []);
  const unopenable = useUnopenable(
    share.patient_id,
    shown.map(({ id }) => id),
  );
  const isHidden = error instanceof ApiError && error.status === 403;
  return (
    <Panel
      title={t('docs')}
      aside={t('documents', { count: share.document_count })}
      actions={
        !isOver &&
        !isHidden && (
          <Button size="small" glyph={Plus} onClick={() => setPicking(true)}>
            {t('docs_add')}
          </Button>
        )
      }
    >
      {isHidden && <p className="panel-body muted">{t('docs_hidden')}</p>}
      {error && !isHidden && !data && (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonLines count={2} label={t('loading')} />}
      {data?.length === 0 && <p className="panel-body muted">{t('docs_gone')}</p>}
      {data && data.length > 0 && (
        <ul className="lines">
          {data.map((document) => (
            <SharedLine
              key={document.id}
              document={document}
              failure={unopenable.get(document.id)}
              opened={opened.get(document.id) ?? 0}
              labels={labels}
              onTakeOut={isOver ? null : () => takeOut.mutate({ share, document })}
            />
          ))}
        </ul>
      )}
      {isPicking && (
        <DocumentPicker
          patient={String(share.patient_id)}
          patientName={share.patient_name}
          excluded={share.document_ids}
          max={MAX_SHARED_DOCUMENTS - share.document_count}
          labels={labels}
          onClose={() => setPicking(false)}
          onPick={(documents) => add.mutate({ share, documents })}
        />
      )}
    </Panel>
  );
}

function SharedLine({
  document,
  failure,
  opened,
  labels,
  onTakeOut,
}: {
  document: SharedDocument;
  /** Why the recipient can't open it. */
  failure: ErrorReference | undefined;
  opened: number;
  labels: ShareLabels;
  /** Null if nobody reads it any more. */
  onTakeOut: (() => void) | null;
}) {
  const { t, formats, documentTitle } = labels;
  const { id, facility_name, doctor_name, event_date, page_count } = document;
  return (
    <li className="docline">
      <PageMini id={id} />
      <span className="docline-words">
        <Link to="/documents/$id" params={{ id: String(id) }} className="truncate strong">
          {documentTitle(document)}
        </Link>
        <span className="cap num truncate">
          {[facility_name ?? doctor_name, formats.date(event_date), page_count && t('pages', { count: page_count })]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <Unopenable failure={failure} labels={labels} />
      </span>
      <span className="row">
        <span className={opened > 0 ? 'muted num' : 'cap'}>
          {opened > 0 ? t('opened', { count: opened }) : t('doc_opened_never')}
        </span>
        {onTakeOut && (
          <IconButton
            size="small"
            glyph={X}
            label={t('docs_take_out', { document: documentTitle(document) })}
            onClick={onTakeOut}
          />
        )}
      </span>
    </li>
  );
}
