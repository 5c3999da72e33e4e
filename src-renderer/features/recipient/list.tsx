import { ChevronRight, Stamp } from 'lucide-react';
import { now } from '../../client/clock.ts';
import { Icon } from '../../ui/icon.tsx';
import { Problem, ScreenHeading, useAction } from './action.tsx';
import type { Me, SharedDocument } from './door.ts';
import { dateText, dayText, languageName, timeText, typeOf, useTexts } from './texts.ts';

const DAY_MS = 86_400_000;

/** What is shared, with whom and until when. */
export function ListScreen({
  me,
  onOpen,
  onFinish,
}: {
  me: Me;
  onOpen: (documentId: number, areImages: boolean) => void;
  onFinish: () => Promise<void>;
}) {
  const { t, language } = useTexts();
  const { problem, run } = useAction();
  const days = Math.floor((Date.parse(`${me.share_expires_at}Z`) - now()) / DAY_MS);
  return (
    <main className="rp-body rp-list">
      <ScreenHeading>{t.list_title(me.recipient_label)}</ScreenHeading>
      <p>{t.list_text(me.patient_name, me.documents.length)}</p>
      <div className="rp-until">
        <strong>{t.list_left(Math.max(0, days))}</strong>
        <span>{t.list_until(dayText(language, me.share_expires_at))}</span>
        <span>{t.list_session(timeText(language, me.session_expires_at))}</span>
      </div>
      {me.documents.length === 0 && <p>{t.list_empty}</p>}
      <ul>
        {me.documents.map((document) => (
          <li key={document.id}>
            {(document.page_count !== null || document.num_images === 0) && (
              <DocumentButton document={document} onOpen={() => onOpen(document.id, false)} />
            )}
            {document.num_images > 0 && <ImagesButton document={document} onOpen={() => onOpen(document.id, true)} />}
          </li>
        ))}
      </ul>
      <div className="rp-foot">
        <p className="rp-note">
          <Icon glyph={Stamp} />
          <span>{t.list_mark}</span>
        </p>
        {problem !== null && <Problem>{problem}</Problem>}
        <button type="button" className="rp-button" onClick={() => void run(onFinish)}>
          {t.finish}
        </button>
      </div>
    </main>
  );
}

const joined = (...parts: (string | number | false | null | undefined)[]): string => parts.filter(Boolean).join(' · ');

function DocumentButton({ document, onOpen }: { document: SharedDocument; onOpen: () => void }) {
  const { t, language } = useTexts();
  const { facility_name, event_date, issued_date, page_count, language_source } = document;
  const date = event_date ?? issued_date;
  const from = joined(facility_name, date && dateText(language, date));
  const extent = joined(
    page_count && t.pages(page_count),
    language_source !== language && language_source && languageName(language, language_source),
  );
  return (
    <button type="button" className="rp-document" onClick={onOpen}>
      <span className="rp-paper" aria-hidden="true" />
      <span className="rp-document-text">
        <strong>{typeOf(t, document)}</strong>
        {from !== '' && <span>{from}</span>}
        {extent !== '' && <span>{extent}</span>}
      </span>
      <Icon glyph={ChevronRight} size={20} />
    </button>
  );
}

/** The pictures of a study, whose report may still be missing. */
function ImagesButton({ document, onOpen }: { document: SharedDocument; onOpen: () => void }) {
  const { t, language } = useTexts();
  const { facility_name, event_date, num_images } = document;
  const from = joined(facility_name, event_date && dateText(language, event_date));
  return (
    <button type="button" className="rp-document" onClick={onOpen}>
      <span className="rp-paper rp-film" aria-hidden="true" />
      <span className="rp-document-text">
        <strong>{t.images}</strong>
        {from !== '' && <span>{from}</span>}
        <span>{t.images_count(num_images)}</span>
      </span>
      <Icon glyph={ChevronRight} size={20} />
    </button>
  );
}
