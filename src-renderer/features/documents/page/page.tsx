import { useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { addressOf, ApiError, contract } from '../../../client/api.ts';
import { Gone } from '../../../client/gone.tsx';
import { useItemTitle } from '../../../client/page-title.ts';
import { useTitles } from '../../../client/document-title.ts';
import { useMayEdit } from '../../../client/session.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { Crumb } from '../../../ui/top-bar-places.tsx';
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { Viewer, type Spot } from '../../../ui/viewer/viewer.tsx';
import { placeOf, readPlaceKey, type PlaceKey } from './places.ts';
import { Position } from './position.tsx';
import { useDocument, useFileMissing, usePages } from './queries.ts';
import { Sheet } from './sheet.tsx';
import { StudyView } from './study-view.tsx';
import { useActions } from './use-actions.ts';
import './document.css';

/** Widest page image that the server renders, in pixels. */
const MAX_IMAGE_WIDTH = 2400;

/** The document of the address. The key resets highlights, scroll position and edits when another one opens. */
export default function DocumentPage() {
  const id = Number(useParams({ from: '/frame/documents/$id' }).id);
  return (
    <>
      <DocumentView key={id} id={id} />
      <Position id={id} />
    </>
  );
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.code === 'document.not_found';

/** In place of a document that did not load. */
function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('app');
  const text = useVocabulary().error(error);
  if (isGone(error)) return <Gone text={text} list="documents" />;
  return <ErrorState message={text} retryLabel={t('action.retry')} onRetry={onRetry} />;
}

/** A document: its pages on the left, the extracted data on the right. */
function DocumentView({ id }: { id: number }) {
  const { t } = useTranslation(['document', 'app']);
  const titles = useTitles();
  const search = useSearch({ from: '/frame/documents/$id' });
  const { data: document, error, refetch } = useDocument(id);
  const pages = usePages(id);
  const actions = useActions(id, document);
  const mayEdit = useMayEdit();
  const [page, setPage] = useState(1);
  const [failedPage, setFailedPage] = useState<number | null>(null);
  const missing = useFileMissing(id, failedPage, document?.updated_at ?? '').data ?? false;
  const onImageFailed = useCallback((number: number) => setFailedPage(number), []);
  useItemTitle(document && titles.title(document));
  const { highlighted, setHighlighted, requestedPlace, place, spot, showPlace } = usePlaces(document, search);
  if (error || !document)
    return (
      <div className="page">
        {error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonLines count={10} label={t('document:loading')} />
        )}
      </div>
    );
  const title = titles.title(document);
  const waiting = document.file_path === '' ? document.imaging_studies[0] : undefined;
  return (
    <div className="document">
      <Crumb>{title}</Crumb>
      <div className="document-viewer">
        {waiting ? (
          <StudyView study={waiting} onAttach={mayEdit ? (report) => actions.attachReport(waiting.id, report) : null} />
        ) : (
          <Viewer
            key={`${document.id} ${document.file_hash}`}
            pages={pages.data ?? []}
            pageCount={document.page_count ?? 1}
            isReady={!pages.isPending}
            places={place ? [{ page: place.page, bbox: place.bbox }] : []}
            spot={spot}
            query={search.find ?? ''}
            firstPreview={addressOf(contract.documents.thumbnail, { params: { id } })}
            imageUrl={(page, width) => pageImageUrl(document, page, width)}
            onPage={setPage}
            onImageFailed={onImageFailed}
            onRotate={actions.rotate}
            {...(mayEdit && { onTranslate: actions.translateRegion })}
          />
        )}
      </div>
      <Sheet
        document={document}
        highlighted={highlighted ?? requestedPlace}
        onHighlight={setHighlighted}
        onShow={showPlace}
        actions={actions}
        page={page}
        isMissing={missing}
      />
    </div>
  );
}

/** The highlighted value and the spot to show, from the URL or the user's selection. */
function usePlaces(document: DocumentDetail | undefined, search: { value?: string; page?: string }) {
  const [highlighted, setHighlighted] = useState<PlaceKey | null>(null);
  const [shownSpot, setShownSpot] = useState<Spot | null>(null);
  const requestedPlace = readPlaceKey(search.value);
  const place = document ? placeOf(document, highlighted ?? requestedPlace) : null;
  const startPlace = document ? placeOf(document, requestedPlace) : null;
  const spot = useMemo<Spot | null>(() => {
    if (shownSpot) return shownSpot;
    if (startPlace) return { page: startPlace.page, bbox: startPlace.bbox };
    return search.page ? { page: Number(search.page) } : null;
  }, [shownSpot, startPlace, search.page]);
  const showPlace = (key: PlaceKey): void => {
    const target = document && placeOf(document, key);
    if (target) setShownSpot({ page: target.page, bbox: target.bbox });
  };
  return { highlighted, setHighlighted, requestedPlace, place, spot, showPlace };
}

const pageImageUrl = ({ id, updated_at: version }: DocumentDetail, page: number, width: number): string =>
  addressOf(contract.documents.pageImage, {
    params: { id, page },
    query: { width: Math.min(MAX_IMAGE_WIDTH, width), v: version },
  });
