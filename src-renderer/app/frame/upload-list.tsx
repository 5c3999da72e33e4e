import { X } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Tag } from '../../ui/chip.tsx';
import { Meter } from '../../ui/dots.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { TrashedCopies } from './trashed-copies.tsx';
import { useUploads, type Sending } from './uploads.tsx';
import './upload-list.css';

/** The list of uploads at the lower edge; it disappears once all have succeeded and the user has seen them. */
export function UploadList() {
  const { t } = useTranslation();
  const { list, clear } = useUploads();
  if (list.length === 0) return null;
  const done = list.filter((item) => item.state === 'added' || item.state === 'restored').length;
  return (
    <section className="upload-list panel" aria-label={t('upload.title')}>
      <header>
        <h2>{t('upload.done', { done, count: list.length })}</h2>
        <span className="push" />
        <IconButton glyph={X} size="small" label={t('upload.hide')} onClick={clear} />
      </header>
      <ul className="lines">
        {list.slice(-30).map((item) => (
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
          <Tag tone="ok">
            {reply?.status === 'extracted' ? t('upload.extracted', { count: reply.extracted }) : t('upload.added')}
          </Tag>
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
