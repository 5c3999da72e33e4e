import { useEffect, useRef, useState, type RefObject } from 'react';
import type { PdfReply, PdfRequest } from '../worker/pdf-protocol.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';
import { useBytes } from './use-bytes.ts';

/** Renders the pages of a PDF on a canvas by a worker of its own, which ends with the view. */
function usePdfPages(bytes: Uint8Array | undefined, canvas: RefObject<HTMLCanvasElement | null>, page: number) {
  const [pageCount, setPageCount] = useState(0);
  const [isBroken, setBroken] = useState(false);
  const worker = useRef<Worker>(null);
  useEffect(() => {
    if (!bytes) return undefined;
    const created = new Worker(new URL('../worker/pdf.ts', import.meta.url), { type: 'module', name: 'pdf' });
    created.addEventListener('message', ({ data: reply }: MessageEvent<PdfReply>) => {
      if ('failed' in reply) setBroken(true);
      else if ('pages' in reply) setPageCount(reply.pages);
      else if (canvas.current) drawPage(canvas.current, reply);
    });
    created.addEventListener('error', () => setBroken(true));
    created.postMessage({ bytes } satisfies PdfRequest);
    worker.current = created;
    return () => {
      created.terminate();
      worker.current = null;
    };
  }, [bytes, canvas]);
  useEffect(() => {
    if (pageCount > 0) worker.current?.postMessage({ page } satisfies PdfRequest);
  }, [pageCount, page]);
  return { pageCount, isBroken };
}

function drawPage(canvas: HTMLCanvasElement, { bitmap, page }: Extract<PdfReply, { bitmap: ImageBitmap }>): void {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  canvas.dataset['drawn'] = String(page + 1);
  bitmap.close();
}

interface Props {
  source: BackupSource;
  fileId: string;
  size: number;
  labels: PhoneLabels;
}

/** A PDF page by page. */
export default function PdfView({ source, fileId, size, labels }: Props) {
  const { t } = labels;
  const { data, error } = useBytes(source, fileId, size);
  const [page, setPage] = useState(0);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { pageCount, isBroken } = usePdfPages(data, canvas, page);
  if (error) return <ErrorState message={labels.error(error)} />;
  if (isBroken) return <EmptyState title={t('broken_pdf')}>{t('broken_pdf_text')}</EmptyState>;
  if (pageCount === 0) return <Skeleton height={320} />;
  const pageText = t('page_of', { page: page + 1, pages: pageCount });
  return (
    <div className="stack">
      <canvas ref={canvas} className="phone-picture" role="img" aria-label={pageText} />
      {pageCount > 1 && (
        <div className="row">
          <span className="cap num">{pageText}</span>
          <span className="push row">
            <Button size="small" disabled={page === 0} onClick={() => setPage(page - 1)}>
              {t('previous')}
            </Button>
            <Button size="small" disabled={page + 1 >= pageCount} onClick={() => setPage(page + 1)}>
              {t('next')}
            </Button>
          </span>
        </div>
      )}
    </div>
  );
}
