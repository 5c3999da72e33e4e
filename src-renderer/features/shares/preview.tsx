import { ChevronRight, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Share } from '../../../src-shared/contract/shares.ts';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import { localDay } from '../../client/clock.ts';
import { RECIPIENT_FACTS, RECIPIENT_FALLBACK, RECIPIENT_TEXTS } from '../../client/recipient-texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Segments } from '../../ui/field.tsx';
import { formatsOf } from '../../ui/format/formats.ts';
import { Icon } from '../../ui/icon.tsx';
import type { ShareLabels } from './labels.ts';
import { PageMini } from './page-mini.tsx';

/** What the recipient sees of a document in the list. */
export type SeenDocument = Pick<SharedDocument, 'id' | 'doc_type' | 'facility_name' | 'event_date' | 'page_count'>;

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
            {documents.map((document) => (
              <li key={document.id}>
                <PageMini id={document.id} />
                <SeenWords document={document} language={language} />
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

function SeenWords({
  document: { doc_type, facility_name, event_date, page_count },
  language,
}: {
  document: SeenDocument;
  language: string;
}) {
  const { texts, formats } = pageIn(language);
  const type = doc_type === null ? texts.document : texts.types[doc_type];
  return (
    <span className="docline-words">
      <span className="strong truncate">{[type, facility_name].filter(Boolean).join(' · ')}</span>
      <span className="cap num truncate">
        {[formats.date(event_date), page_count && texts.pages(page_count)].filter(Boolean).join(' · ')}
      </span>
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
  documents: readonly SharedDocument[];
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
