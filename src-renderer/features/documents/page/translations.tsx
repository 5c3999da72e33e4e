import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { translationLanguage } from '../../../../src-shared/contract/translations.ts';
import { addressOf, call, contract } from '../../../client/api.ts';
import { useToasts } from '../../../client/toasts.tsx';
import { useVocabulary } from '../../../client/vocabulary.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Notice } from '../../../ui/states.tsx';
import { documentKey } from './queries.ts';
import './translations.css';

type Region = DocumentDetail['region_translations'][number];

/** The English text of the page that the viewer shows, and the translated parts of pages with their pictures. */
export function Translations({
  document,
  page,
  mayEdit,
}: {
  document: DocumentDetail;
  page: number;
  mayEdit: boolean;
}) {
  const { t } = useTranslation('document');
  const regions = document.region_translations;
  if (document.translation === null && !document.ocr_text_en && regions.length === 0) return null;
  return (
    <section className="rows" aria-labelledby="translations-title">
      <h2 id="translations-title">{t('translations')}</h2>
      <WholeTranslation document={document} page={page} />
      <ul>
        {regions.map((region) => (
          <RegionRow key={region.id} document={document.id} region={region} mayEdit={mayEdit} />
        ))}
      </ul>
      <p className="cap rows-empty">{t('translations_note')}</p>
    </section>
  );
}

/** The state of the translation of the document, and its text beside the page that is shown. */
function WholeTranslation({ document, page }: { document: DocumentDetail; page: number }) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const state = document.translation;
  const pages = (document.ocr_text_en ?? '').split('\f');
  const text = pages[page - 1]?.trim() ?? '';
  return (
    <>
      <div aria-live="polite">
        {(state?.status === 'queued' || state?.status === 'running') && (
          <p className="cap rows-empty">{t('translating')}</p>
        )}
        {state?.status === 'failed' && state.error && <Notice tone="bad">{vocabulary.failure(state.error)}</Notice>}
      </div>
      {document.ocr_text_en && (
        <>
          <h3 className="cap rows-empty">{t('translation_of_page', { page })}</h3>
          <pre className="full-text" lang="en">
            {text === '' ? t('translation_page_empty') : text}
          </pre>
        </>
      )}
    </>
  );
}

/** Deletes the translation of a part of a page; Undo has it translated again. */
function useRemoval(document: number, region: Region): () => void {
  const client = useQueryClient();
  const { begin } = useToasts();
  const params = { id: String(document) };
  const refresh = () => client.invalidateQueries({ queryKey: documentKey(document) });
  const again = {
    page: region.page,
    bbox: { x: region.bbox_x, y: region.bbox_y, w: region.bbox_w, h: region.bbox_h },
    target_language: translationLanguage.safeParse(region.target_language).data ?? null,
  };
  const { mutate } = useMutation({
    mutationFn: () => call(contract.translations.removeRegion, { params: { ...params, region_id: String(region.id) } }),
    onMutate: begin,
    onError: (error, _, change) => change?.fail(error),
    onSuccess: (_, __, change) => {
      change.done({
        text: ({ t }) => t('translation_removed', { ns: 'document' }),
        undo: () => call(contract.translations.translateRegion, { params, body: again }).then(refresh),
      });
      return refresh();
    },
  });
  return () => mutate();
}

function RegionRow({ document, region, mayEdit }: { document: number; region: Region; mayEdit: boolean }) {
  const { t } = useTranslation('document');
  const vocabulary = useVocabulary();
  const params = { id: String(document), region_id: String(region.id) };
  const remove = useRemoval(document, region);
  const isWaiting = region.status === 'queued' || region.status === 'running';
  return (
    <li className="region-row">
      <div className="row">
        <span className="cap">{t('translation_part', { page: region.page })}</span>
        {mayEdit && (
          <IconButton
            size="small"
            glyph={X}
            className="push"
            label={t('translation_remove', { page: region.page })}
            onClick={remove}
          />
        )}
      </div>
      {region.thumbnail_path && (
        <img
          alt={t('translation_picture', { page: region.page })}
          src={addressOf(contract.translations.regionThumbnail, { params })}
          loading="lazy"
        />
      )}
      <div aria-live="polite">
        {isWaiting && <p className="cap">{t('translating')}</p>}
        {region.failure && <Notice tone="bad">{vocabulary.failure(region.failure)}</Notice>}
        {region.translated_text && <p className="region-text">{region.translated_text}</p>}
      </div>
    </li>
  );
}
