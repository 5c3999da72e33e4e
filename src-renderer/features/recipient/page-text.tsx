import { Search as SearchGlyph, Square, Volume2 } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { RecipientTexts } from '../../locales/en.ts';
import { Icon } from '../../ui/icon.tsx';
import { door, DoorError, type PageText as Text, type SharedDocument } from './door.ts';
import { Failure } from './page-image.tsx';
import { findWords, spokenParts } from './spoken.ts';
import { errorText, typeOf, useTexts } from './texts.ts';
import { useFind, type Find, type Search } from './use-find.ts';
import { useVoice } from './use-voice.ts';
import './page-text.css';

type Loaded = { text: Text } | { code: string } | null;

/** Loads the text of a page. */
function useText(documentId: number, page: number, attempt: number, onFailed: () => Promise<void>): Loaded {
  const [loaded, setLoaded] = useState<Loaded>(null);
  useEffect(() => {
    const left = new AbortController();
    const load = async (): Promise<void> => {
      const next = await door.text(documentId, page, left.signal).then(
        (text): Loaded => ({ text }),
        (error: unknown): Loaded => ({ code: error instanceof DoorError ? error.code : 'offline' }),
      );
      if (left.signal.aborted) return;
      setLoaded(next);
      // The session may have ended, or the document may have left the share.
      if (next && 'code' in next) await onFailed();
    };
    void load();
    return () => {
      left.abort();
      setLoaded(null);
    };
  }, [documentId, page, attempt, onFailed]);
  return loaded;
}

/** The text of a page, for screen readers, for larger letters, to be searched and to be read aloud. */
export function PageText({
  document,
  page,
  count,
  zoom,
  onTurnTo,
  onFailed,
}: {
  document: SharedDocument;
  page: number;
  count: number;
  /** Size of the letters in parts of the usual one. */
  zoom: number;
  onTurnTo: (page: number) => void;
  onFailed: () => Promise<void>;
}) {
  const { t } = useTexts();
  const [attempt, setAttempt] = useState(0);
  const loaded = useText(document.id, page, attempt, onFailed);
  const find = useFind(document.id, page, count, onTurnTo);
  const text = loaded && 'text' in loaded ? loaded.text : null;
  return (
    <>
      <div className="rv-tools">
        <FindField find={find} />
        {text && <ReadAloud key={page} document={document} text={text.text} />}
      </div>
      <p className="rv-note" role="status">
        {loaded === null && t.text_loading}
      </p>
      {loaded && 'code' in loaded && <Failure code={loaded.code} onRetry={() => setAttempt(attempt + 1)} />}
      {text && (
        <article
          className="rv-text"
          lang={document.language_source ?? undefined}
          aria-label={t.text_of(page, typeOf(t, document))}
          style={{ fontSize: `${zoom}em` }}
        >
          {text.text.trim() === '' ? <p>{t.text_none}</p> : <Marked text={text.text} find={find} />}
          {text.is_cut && <p>{t.text_cut}</p>}
        </article>
      )}
    </>
  );
}

/** Text with the words that were searched, the first of which comes into view. */
function Marked({ text, find: { search } }: { text: string; find: Find }) {
  const first = useRef<HTMLElement>(null);
  const words = search.state === 'found' ? search.words : '';
  const places = findWords(text, words);
  useEffect(() => {
    first.current?.scrollIntoView({ block: 'center' });
  }, [text, words]);
  return (
    <p>
      {places.map(({ start, end }, index) => (
        <span key={start}>
          {text.slice(places[index - 1]?.end ?? 0, start)}
          <mark ref={index === 0 ? first : null}>{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(places.at(-1)?.end ?? 0)}
    </p>
  );
}

function FindField({ find: { search, run, clear } }: { find: Find }) {
  const { t } = useTexts();
  const [words, setWords] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (words.trim() !== '') void run(words.trim());
  };
  const type = (text: string): void => {
    setWords(text);
    clear();
  };
  return (
    <form role="search" className="rv-find" onSubmit={submit}>
      <input
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        aria-label={t.find}
        placeholder={t.find}
        maxLength={100}
        value={words}
        onChange={(event) => type(event.target.value)}
      />
      <button type="submit" className="rp-icon" aria-label={t.find_next} disabled={words.trim() === ''}>
        <Icon glyph={SearchGlyph} size={20} />
      </button>
      <p role="status">{searchText(t, search)}</p>
    </form>
  );
}

/** How a search goes, in words. */
function searchText(t: RecipientTexts, search: Search): string {
  switch (search.state) {
    case 'idle':
      return '';
    case 'searching':
      return t.find_page(search.page);
    case 'found':
      return t.find_found(search.page);
    case 'none':
      return t.find_none;
    case 'failed':
      return errorText(t, search.error);
  }
}

/** Reads the page aloud where this device has a voice of its own for its language. */
function ReadAloud({ document, text }: { document: SharedDocument; text: string }) {
  const { t, language } = useTexts();
  const voice = useVoice(document.language_source ?? language);
  if (!voice || text.trim() === '') return null;
  return (
    <button
      type="button"
      className="rp-button rp-small"
      onClick={() => (voice.isSpeaking ? voice.stop() : voice.speak(spokenParts(text)))}
    >
      <Icon glyph={voice.isSpeaking ? Square : Volume2} size={18} />
      {voice.isSpeaking ? t.speak_stop : t.speak}
    </button>
  );
}
