import { X } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Meter } from '../../ui/dots.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { TrashedCopies } from './trashed-copies.tsx';
import { isUnderWay, outcomesOf, rowsToShow } from './upload-outcome.ts';
import { useUploads, type Sending } from './uploads.tsx';
import './upload-list.css';

const MAX_ROWS = 30;

/**
 * The uploads at the lower edge. A file that was added leaves the list, because the queue shows how it is read; the list
 * disappears when nothing is left to say.
 */
export function UploadList() {
  const { t } = useTranslation();
  const { list, clear } = useUploads();
  const rows = rowsToShow(list);
  const isDone = list.length > 0 && rows.length === 0;
  useEffect(() => {
    if (isDone) clear();
  }, [isDone, clear]);
  if (rows.length === 0) return null;
  const left = list.filter(isUnderWay).length;
  const outcomes = outcomesOf(list).map(({ outcome, count }) => t(`upload.count_${outcome}`, { count }));
  return (
    <section className="upload-list panel" aria-label={t('upload.title')}>
      <header>
        <h2>
          {left > 0 ? t('upload.under_way', { done: list.length - left, count: list.length }) : outcomes.join(' · ')}
        </h2>
        <span className="push" />
        <IconButton glyph={X} size="small" label={t('upload.hide')} onClick={clear} />
      </header>
      <ul className="lines">
        {rows.slice(-MAX_ROWS).map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
    </section>
  );
}

function Item({ item }: { item: Sending }) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const { cancel } = useUploads();
  const { reply } = item;
  return (
    <li className="upload-item">
      <span className="truncate strong">{item.name}</span>
      {item.state === 'sending' && <Meter share={item.share} label={`${item.name}: ${t('upload.sending')}`} />}
      {item.state === 'waiting' && <span className="muted">{t('upload.waiting')}</span>}
      {item.state === 'failed' && (
        <span className="upload-error" role="alert">
          {vocabulary.error(item.error)}
        </span>
      )}
      {item.state === 'added' && (
        <span className="row">
          {reply?.status === 'extracted' && reply.skipped.length > 0 && (
            <Tag title={reply.skipped.map((file) => `${file.filename}: ${vocabulary.failure(file)}`).join('\n')}>
              {t('upload.skipped', { count: reply.skipped.length })}
            </Tag>
          )}
          {reply?.status === 'extracted' && reply.studies.length > 0 && (
            <Tag tone="ok">
              {t('upload.images', { count: reply.studies.reduce((sum, study) => sum + study.images, 0) })}
            </Tag>
          )}
          {reply?.status === 'extracted' && (reply.extracted > 0 || reply.studies.length === 0) && (
            <Tag tone="ok">{t('upload.extracted', { count: reply.extracted })}</Tag>
          )}
        </span>
      )}
      {item.state === 'duplicate' && (
        <span className="row">
          <Tag>{t('upload.duplicate')}</Tag>
          {reply?.status === 'duplicate' && reply.existing_document_id !== null && (
            <Link to="/documents/$id" params={{ id: String(reply.existing_document_id) }}>
              {t('upload.open_existing')}
            </Link>
          )}
        </span>
      )}
      {item.state === 'restored' && <Tag tone="ok">{t('upload.restored')}</Tag>}
      {item.state === 'kept' && <span className="muted">{t('upload.kept')}</span>}
      {item.trashed.length > 0 && <TrashedCopies item={item} />}
      {(item.state === 'waiting' || item.state === 'sending') && (
        <Button size="small" onClick={() => cancel(item.id)} aria-label={t('upload.cancel', { name: item.name })}>
          {t('action.cancel')}
        </Button>
      )}
    </li>
  );
}
