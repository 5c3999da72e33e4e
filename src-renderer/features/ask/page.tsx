import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowUp, Square, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatSource } from '../../../src-shared/contract/chat.ts';
import type { Patient } from '../../../src-shared/contract/patients.ts';
import { Person, PersonMark, shortNameOf } from '../../client/people.tsx';
import { usePatients } from '../../client/session.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { Answer } from './answer.tsx';
import { useAsk, useClearHistory, useHistory, useSuggestions, type Exchange } from './queries.ts';
import { SourcePane } from './source-pane.tsx';
import './ask.css';

const MAX_LENGTH = 4000;

/** Questions about the record of one person, answered with the places where it is written. */
export default function AskPage() {
  const patients = usePatients();
  const { patient } = useSearch({ from: '/frame/ask' });
  const chosen = patients.length === 1 ? patients[0] : patients.find(({ id }) => String(id) === patient);
  // Each person has their own conversation and open source.
  return chosen ? <Conversation key={chosen.id} patient={chosen} /> : <WhoToAskAbout patients={patients} />;
}

function WhoToAskAbout({ patients }: { patients: readonly Patient[] }) {
  const { t } = useTranslation('ask');
  const navigate = useNavigate();
  return (
    <div className="page">
      <div className="page-head">
        <h1>{t('title')}</h1>
      </div>
      <EmptyState
        title={t('whom')}
        actions={patients.map(({ id, display_name: name }) => (
          <Button key={id} onClick={() => void navigate({ to: '/ask', search: { patient: String(id) } })}>
            <Person id={id} name={name} />
          </Button>
        ))}
      >
        {t('whom_text')}
      </EmptyState>
    </div>
  );
}

function Conversation({ patient }: { patient: Patient }) {
  const { t } = useTranslation('ask');
  const vocabulary = useVocabulary();
  const name = shortNameOf(
    patient.display_name,
    usePatients().map(({ display_name }) => display_name),
  );
  const { data: exchanges, error, refetch } = useHistory(patient.id);
  const { ask, text, stop } = useAsk(patient.id);
  const clear = useClearHistory(patient.id);
  const [source, setSource] = useState<ChatSource | null>(null);
  const end = useRef<HTMLDivElement>(null);
  const count = exchanges?.length ?? 0;
  // Newer browsers return a promise, which is not what undoes an effect.
  useEffect(() => void end.current?.scrollIntoView({ block: 'nearest' }), [count, ask.isPending]);
  return (
    <div className="page-with-pane">
      <div className="page ask">
        <div className="page-head">
          <h1>{t('title')}</h1>
          <PersonMark id={patient.id} name={patient.display_name} />
          <span className="cap">{patient.display_name}</span>
          {count > 0 && (
            <IconButton className="push" glyph={Trash2} label={t('clear')} onClick={() => clear.mutate()} />
          )}
        </div>
        <div className="ask-scroll" aria-live="polite" aria-busy={ask.isPending}>
          {error && !exchanges && (
            <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
          )}
          {!exchanges && !error && <SkeletonLines count={6} label={t('loading')} />}
          {exchanges?.map((exchange) => (
            <Asked key={exchange.id} exchange={exchange} source={source} onSource={setSource} />
          ))}
          {ask.isPending && <Waiting question={ask.variables} text={text} />}
          {ask.error && <ErrorState message={vocabulary.error(ask.error)} />}
          {count === 0 && !ask.isPending && exchanges && <Intro patient={patient.id} name={name} />}
          <div ref={end} />
        </div>
        <AskBox
          label={t('ask_about', { name })}
          running={ask.isPending ? ask.variables : null}
          onAsk={(message) => ask.mutate(message)}
          onStop={stop}
          patient={patient.id}
          hasHistory={count > 0}
        />
      </div>
      {source && <SourcePane source={source} onClose={() => setSource(null)} />}
    </div>
  );
}

/** What can be asked; or, while the record has no papers, how to begin. */
function Intro({ patient, name }: { patient: number; name: string }) {
  const { t } = useTranslation('ask');
  const { data } = useSuggestions(patient);
  if (!data) return null;
  if (data.has_papers) return <p className="ask-intro">{t('intro', { name })}</p>;
  return <EmptyState title={t('no_papers', { name })}>{t('no_papers_text')}</EmptyState>;
}

function Asked({
  exchange: { question, answer },
  source,
  onSource,
}: {
  exchange: Exchange;
  source: ChatSource | null;
  onSource: (source: ChatSource) => void;
}) {
  return (
    <section className="ask-exchange">
      <h2>{question}</h2>
      {answer && <Answer message={answer} chosen={source} onChoose={onSource} />}
    </section>
  );
}

/** `text` is what a model has written so far, of which the record supports each sentence. */
function Waiting({ question, text }: { question: string; text: string }) {
  const { t } = useTranslation('ask');
  return (
    <section className="ask-exchange">
      <h2>{question}</h2>
      {text !== '' && <p className="ask-so-far">{text}</p>}
      <SkeletonLines count={text === '' ? 2 : 1} label={t('searching')} />
    </section>
  );
}

function AskBox({
  label,
  running,
  onAsk,
  onStop,
  patient,
  hasHistory,
}: {
  label: string;
  /** The question that is being answered. */
  running: string | null;
  onAsk: (message: string) => void;
  onStop: () => void;
  patient: number;
  hasHistory: boolean;
}) {
  const { t } = useTranslation('ask');
  const [text, setText] = useState('');
  const isBusy = running !== null;
  const { questions: suggestions = [], has_model: hasModel = false } = useSuggestions(patient).data ?? {};
  const send = (message: string): void => {
    if (message.trim() === '' || isBusy) return;
    onAsk(message.trim());
    setText('');
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(text);
  };
  /** The question returns into the box, to be changed or asked again. */
  const stop = (): void => {
    if (!isBusy) return;
    onStop();
    if (text === '') setText(running);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') stop();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send(text);
  };
  return (
    <div className="ask-bottom">
      {suggestions.length > 0 && (
        <div className={hasHistory ? 'ask-suggestions ask-suggestions-later' : 'ask-suggestions'}>
          {suggestions.map((question) => (
            <Button key={question} size="small" disabled={isBusy} onClick={() => send(question)}>
              {question}
            </Button>
          ))}
        </div>
      )}
      <form className="ask-box" onSubmit={submit}>
        <TextArea
          rows={1}
          maxLength={MAX_LENGTH}
          value={text}
          aria-label={label}
          placeholder={label}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKey}
        />
        {isBusy ? (
          <IconButton glyph={Square} label={t('stop')} className="ask-send" onClick={stop} />
        ) : (
          <IconButton
            glyph={ArrowUp}
            label={t('send')}
            type="submit"
            className="ask-send"
            disabled={text.trim() === ''}
          />
        )}
      </form>
      <p className="cap">{t(hasModel ? 'note_model' : 'note')}</p>
    </div>
  );
}
