import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { PHONE_KEY } from '../source/open-backups.ts';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';
import { kindOf, type FileKind } from './file-kind.ts';
import type { Target } from './target.ts';
import { useImageUrl } from './use-image-url.tsx';
import './preview.css';

/** Bytes from which the kind of a file is detected. */
const HEAD_BYTES = 4096;
/** Larger files can only be saved: a preview must fit in memory. */
const MAX_PREVIEW_BYTES = 200 * 1024 * 1024;
/** Pixels of the longer side of an image. */
const MAX_IMAGE_SIDE = 2400;

const PdfView = lazy(() => import('./pdf-view.tsx'));
const PlistView = lazy(() => import('./plist-view.tsx'));
const SqliteView = lazy(() => import('./sqlite-view.tsx'));
const TextView = lazy(() => import('./text-view.tsx'));
const MediaView = lazy(() => import('./media-view.tsx'));

/** Previews a file by the type of its content. */
export function FilePreview({ target, source, labels }: { target: Target; source: BackupSource; labels: PhoneLabels }) {
  const { t, formats } = labels;
  const facts = useQuery({
    queryKey: [PHONE_KEY, source.device.id, 'head', target.fileId],
    retry: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const size = await source.size(target.fileId, signal);
      return { size, kind: kindOf(await source.bytes(target.fileId, 0, Math.min(HEAD_BYTES, size), signal)) };
    },
  });
  if (facts.error)
    return (
      <ErrorState message={labels.error(facts.error)} retryLabel={t('retry')} onRetry={() => void facts.refetch()} />
    );
  if (!facts.data)
    return (
      <div className="phone-preview">
        <Skeleton height={240} />
      </div>
    );
  const { size, kind } = facts.data;
  return (
    <div className="phone-preview">
      <Suspense fallback={<Skeleton height={240} />}>
        {size > MAX_PREVIEW_BYTES && kind !== 'sqlite' ? (
          <EmptyState title={t('too_large')}>{t('too_large_text')}</EmptyState>
        ) : (
          <Content kind={kind} size={size} target={target} source={source} labels={labels} />
        )}
      </Suspense>
      <span className="cap num">{[t(`kind.${kind}`), formats.bytes(size)].join(' · ')}</span>
    </div>
  );
}

function Content({
  kind,
  size,
  target,
  source,
  labels,
}: {
  kind: FileKind;
  size: number;
  target: Target;
  source: BackupSource;
  labels: PhoneLabels;
}) {
  const { t } = labels;
  switch (kind) {
    case 'image':
    case 'heic':
      return <ImageView target={target} labels={labels} />;
    case 'pdf':
      return <PdfView source={source} fileId={target.fileId} size={size} labels={labels} />;
    case 'audio':
    case 'video':
      return (
        <MediaView source={source} fileId={target.fileId} size={size} kind={kind} name={target.name} labels={labels} />
      );
    case 'plist':
      return <PlistView source={source} fileId={target.fileId} size={size} labels={labels} />;
    case 'sqlite':
      return <SqliteView source={source} fileId={target.fileId} labels={labels} />;
    case 'text':
      return <TextView source={source} fileId={target.fileId} size={size} labels={labels} />;
    case 'empty':
      return <EmptyState title={t('empty_file')} />;
    case 'other':
      return <EmptyState title={t('no_preview')}>{t('no_preview_text')}</EmptyState>;
  }
}

function ImageView({ target, labels }: { target: Target; labels: PhoneLabels }) {
  const url = useImageUrl(target.fileId, null, MAX_IMAGE_SIDE);
  if (url === undefined) return <Skeleton height={320} />;
  if (url === null) return <EmptyState title={labels.t('broken_picture')} />;
  return <img className="phone-picture" src={url} alt={target.name} />;
}
