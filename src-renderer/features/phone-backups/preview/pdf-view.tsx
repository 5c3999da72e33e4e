import { useEffect, useRef, useState } from 'react';
import type { PdfAnswer, PdfQuestion } from '../worker/pdf-protocol.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';
import { useBytes } from './use-bytes.ts';

/** A PDF page by page. */
export default function PdfView({
  source,
  fileId,
  size,
  labels,
}: {
  source: BackupSource;
  fileId: string;
  size: number;
  labels: PhoneLabels;
}) {
  const { t } = labels;
  const { data, error } = useBytes(source, fileId, size);
  const [pages, setPages] = useState(0);
  const [isBroken, setBroken] = useState(false);
  const [page, setPage] = useState(0);
  const canvas = useRef<HTMLCanvasElement>(null);
  const worker = useRef<Worker>(null);
  useEffect(() => {
    if (!data) return undefined;
    const created = new Worker(new URL('../worker/pdf.ts', import.meta.url), { type: 'module', name: 'pdf' });
    created.addEventListener('message', ({ data: said }: MessageEvent<PdfAnswer>) => {
      if ('failed' in said) setBroken(true);
      else if ('pages' in said) setPages(said.pages);
      else if (canvas.current) {
        canvas.current.width = said.bitmap.width;
        canvas.current.height = said.bitmap.height;
        canvas.current.getContext('2d')?.drawImage(said.bitmap, 0, 0);
        canvas.current.dataset['drawn'] = String(said.page + 1);
        said.bitmap.close();
      }
    });
    created.addEventListener('error', () => setBroken(true));
    created.postMessage({ bytes: data } satisfies PdfQuestion);
    worker.current = created;
    return () => {
      created.terminate();
      worker.current = null;
    };
  }, [data]);
  useEffect(() => {
    if (pages > 0) worker.current?.postMessage({ page } satisfies PdfQuestion);
  }, [pages, page]);
  if (error) return <ErrorState message={labels.error(error)} />;
  if (isBroken) return <EmptyState title={t('broken_pdf')}>{t('broken_pdf_text')}</EmptyState>;
  if (pages === 0) return <Skeleton height={320} />;
  return (
    <div className="stack">
      <canvas ref={canvas} className="phone-picture" role="img" aria-label={t('page_of', { page: page + 1, pages })} />
      {pages > 1 && (
        <div className="row">
          <span className="cap num">{t('page_of', { page: page + 1, pages })}</span>
          <span className="push row">
            <Button size="small" disabled={page === 0} onClick={() => setPage(page - 1)}>
              {t('previous')}
            </Button>
            <Button size="small" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
              {t('next')}
            </Button>
          </span>
        </div>
      )}
    </div>
  );
}
