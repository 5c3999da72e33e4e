import { ChevronRight, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Share } from '../../../src-shared/contract/shares.ts';
import type { ListedDocument } from '../../../src-shared/contract/share.ts';
import { localDay } from '../../client/clock.ts';
import { RECIPIENT_FACTS, RECIPIENT_FALLBACK, RECIPIENT_TEXTS } from '../../client/recipient-texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Segments } from '../../ui/field.tsx';
import { formatsOf } from '../../ui/format/formats.ts';
import { Icon } from '../../ui/icon.tsx';
import type { ShareLabels } from './labels.ts';
import { PageMini } from './page-mini.tsx';

/** What the recipient sees of a document in the list. Lists of the household leave out its language and its images. */
type SeenDocument = Pick<ListedDocument, 'id' | 'doc_type' | 'facility_name' | 'event_date' | 'page_count'> &
  Partial<Pick<ListedDocument, 'issued_date' | 'language_source' | 'num_images'>>;

/** The words of the recipient's page, and how it writes dates. The browser of the recipient decides the language. */
const PAGES = new Map(
  Object.entries(RECIPIENT_TEXTS).map(([language, texts]) => [
    language,
    { texts, formats: formatsOf(RECIPIENT_FACTS[language]?.locale ?? language, () => 0) },
  ]),
);
const pageIn = (language: string) => (PAGES.get(language) ?? PAGES.get(RECIPIENT_FALLBACK))!;

/** The list of documents as on the phone of the recipient. */
export function RecipientPreview({
  recipient,
  patient,
  until,
  documents,
  labels: { t },
}: {
  recipient: string;
  patient: string;
  /** The last day, `YYYY-MM-DD`. */
  until: string;
  documents: readonly SeenDocument[];
  labels: ShareLabels;
}) {
  const { i18n } = useTranslation();
  const [language, setLanguage] = useState(PAGES.has(i18n.language) ? i18n.language : RECIPIENT_FALLBACK);
  const { texts, formats } = pageIn(language);
  return (
    <div className="phone-place">
      <Segments
        label={t('preview_language')}
        value={language}
        options={Object.entries(RECIPIENT_FACTS).map(([value, { name }]) => ({ value, label: name, lang: value }))}
        onChange={setLanguage}
      />
      <div className="phone">
        <div className="phone-screen" lang={language} tabIndex={0} role="region" aria-label={texts.title}>
          <strong className="phone-title">{texts.list_title(recipient || '…')}</strong>
          <p>{texts.list_text(patient, documents.length)}</p>
          <p className="phone-until num">{texts.list_until(formats.dateFull(until))}</p>
          <ul>
            {documents.flatMap(rowsOf).map(({ document, areImages }) => (
              <li key={`${document.id} ${areImages}`}>
                <PageMini id={document.id} />
                <SeenWords lines={(areImages ? wordsOfImages : wordsOf)(document, language)} />
                <Icon glyph={ChevronRight} />
              </li>
            ))}
          </ul>
          <p className="cap phone-mark">{texts.list_mark}</p>
          <span className="phone-button" aria-hidden="true">
            {texts.finish}
          </span>
        </div>
      </div>
    </div>
  );
}

/** A document with images has a row for its pages, if it has any, and one for the images. */
function rowsOf(document: SeenDocument): { document: SeenDocument; areImages: boolean }[] {
  const hasImages = (document.num_images ?? 0) > 0;
  const hasPages = document.page_count !== null || !hasImages;
  return [...(hasPages ? [{ document, areImages: false }] : []), ...(hasImages ? [{ document, areImages: true }] : [])];
}

type Words = [heading: string, rest: string];
const joined = (...parts: (string | number | null | undefined | false)[]): string => parts.filter(Boolean).join(' · ');

function wordsOf(document: SeenDocument, language: string): Words {
  const { doc_type, facility_name, event_date, issued_date, page_count, language_source: written } = document;
  const { texts, formats } = pageIn(language);
  const type = doc_type === null ? texts.document : texts.types[doc_type];
  const date = event_date ?? issued_date;
  return [
    joined(type, facility_name),
    joined(
      date && formats.date(date),
      page_count && texts.pages(page_count),
      written && written !== language && nameOfLanguage(language, written),
    ),
  ];
}

function wordsOfImages({ facility_name, event_date, num_images }: SeenDocument, language: string): Words {
  const { texts, formats } = pageIn(language);
  return [
    joined(texts.images, facility_name),
    joined(event_date && formats.date(event_date), texts.images_count(num_images ?? 0)),
  ];
}

/** The name of a language: `German`; its code if the browser has no name for it. */
function nameOfLanguage(language: string, code: string): string {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

function SeenWords({ lines: [heading, rest] }: { lines: Words }) {
  return (
    <span className="docline-words">
      <span className="strong truncate">{heading}</span>
      <span className="cap num truncate">{rest}</span>
    </span>
  );
}

/** The preview of a share, with a link to the recipient's real page while it is open. */
export function PreviewDialog({
  share,
  documents,
  link,
  labels,
  onClose,
}: {
  share: Share;
  documents: readonly ListedDocument[];
  /** Null if it opens nothing any more. */
  link: string | null;
  labels: ShareLabels;
  onClose: () => void;
}) {
  const { t } = labels;
  const name = share.recipient_label;
  return (
    <Dialog open onOpenChange={onClose} title={t('preview_title', { name })}>
      <RecipientPreview
        recipient={name}
        patient={share.patient_name}
        until={localDay(share.expires_at)}
        documents={documents}
        labels={labels}
      />
      <div className="dialog-actions">
        {link !== null && (
          <a className={buttonClass()} href={link} target="_blank" rel="noreferrer">
            <Icon glyph={ExternalLink} />
            {t('preview_open')}
          </a>
        )}
        <Button onClick={onClose}>{t('close')}</Button>
      </div>
    </Dialog>
  );
}
