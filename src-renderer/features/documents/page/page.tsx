import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { addressOf, contract } from '../../../client/api.ts';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { useShortcuts } from '../../../client/shortcuts.ts';
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx';
import { Viewer, type Spot } from '../../../ui/viewer/viewer.tsx';
import { useNeighbours } from './neighbours.ts';
import { placeOf, readPlaceKey, type PlaceKey } from './places.ts';
import { useDocument, useFileMissing, usePages } from './queries.ts';
import { Sheet } from './sheet.tsx';
import { titleOf } from './title.ts';
import { useActions } from './use-actions.ts';
import './document.css';

/** The document of the address. Another one starts anew: what was lit, seen or being edited belongs to the one before. */
export default function DocumentPage() {
  const id = Number(useParams({ from: '/frame/documents/$id' }).id);
  return <OneDocument key={id} id={id} />;
}

/** A document: its pages at the left, what was read from them at the right. */
function OneDocument({ id }: { id: number }) {
  const { t } = useTranslation(['document', 'app']);
  const vocabulary = useVocabulary();
  const search = useSearch({ from: '/frame/documents/$id' });
  const { data: document, error, refetch } = useDocument(id);
  const pages = usePages(id);
  const actions = useActions(id, document);
  const [page, setPage] = useState(1);
  const [failedPage, setFailedPage] = useState<number | null>(null);
  const missing = useFileMissing(id, failedPage, document?.updated_at ?? '').data ?? false;
  const onImageFailed = useCallback((number: number) => setFailedPage(number), []);
  const neighbours = useNeighbours(id);
  const navigate = useNavigate();
  const goTo = (next: number | null): void => {
    if (next !== null) void navigate({ to: '/documents/$id', params: { id: String(next) }, replace: true });
  };
  useShortcuts({ j: () => goTo(neighbours().next), k: () => goTo(neighbours().previous) });
  const [highlighted, setLit] = useState<PlaceKey | null>(null);
  const [seen, setSeen] = useState<Spot | null>(null);
  const requestedPlace = readPlaceKey(search.value);
  const place = document ? placeOf(document, highlighted ?? requestedPlace) : null;
  const startPlace = document ? placeOf(document, requestedPlace) : null;
  const spot = useMemo<Spot | null>(() => {
    if (seen) return seen;
    if (startPlace) return { page: startPlace.page, bbox: startPlace.bbox };
    return search.page ? { page: Number(search.page) } : null;
  }, [seen, startPlace, search.page]);
  const show = (key: PlaceKey): void => {
    const target = document && placeOf(document, key);
    if (target) setSeen({ page: target.page, bbox: target.bbox });
  };
  if (error)
    return (
      <div className="page">
        <ErrorState
          message={vocabulary.error(error)}
          retryLabel={t('app:action.retry')}
          onRetry={() => void refetch()}
        />
      </div>
    );
  if (!document)
    return (
      <div className="page">
        <SkeletonLines count={10} label={t('document:loading')} />
      </div>
    );
  const title = titleOf(document, vocabulary.documentType);
  const crumb = globalThis.document.getElementById('crumb');
  return (
    <div className="document">
      {crumb && createPortal(title, crumb)}
      <div className="document-viewer">
        <Viewer
          key={`${document.id} ${document.file_hash}`}
          pages={pages.data ?? []}
          pageCount={document.page_count ?? 1}
          ready={!pages.isPending}
          places={place ? [{ page: place.page, bbox: place.bbox }] : []}
          spot={spot}
          query={search.find ?? ''}
          imageUrl={(page, width) =>
            addressOf(contract.documents.pageImage, {
              params: { id, page },
              query: { width: Math.min(2400, width), v: document.updated_at },
            })
          }
          onPage={setPage}
          onImageFailed={onImageFailed}
          onRotate={(page, degrees) => actions.rotate(page, degrees)}
        />
      </div>
      <Sheet
        document={document}
        title={title}
        highlighted={highlighted ?? requestedPlace}
        onHighlight={setLit}
        onShow={show}
        actions={actions}
        page={page}
        missing={missing}
      />
    </div>
  );
}
