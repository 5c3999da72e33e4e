import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChatMessage, ChatSource } from '../../../src-shared/contract/chat.ts';
import { useTitles } from '../../client/document-title.ts';
import { useFormats } from '../../client/format.ts';
import { ModelUsage } from '../../client/model-usage.tsx';
import { classNames } from '../../ui/class-names.ts';

interface Chosen {
  chosen: ChatSource | null;
  onChoose: (source: ChatSource) => void;
}

/** The text of an answer with its citations, and below it the sources in the words of the pages. */
export function Answer({ message, chosen, onChoose }: { message: ChatMessage } & Chosen) {
  const { t } = useTranslation('ask');
  const { content, sources, is_withdrawn: isWithdrawn } = message;
  if (isWithdrawn) return <p className="ask-withdrawn">{t('withdrawn')}</p>;
  const isChosen = (source: ChatSource): boolean => chosen?.id === source.id && chosen.number === source.number;
  const quoted = sources.filter(({ quote }) => quote !== null);
  return (
    <>
      <div className="ask-answer">
        {blocksOf(content).map(({ items, text }, index) =>
          items ? (
            <ul key={index}>
              {items.map((item, at) => (
                <li key={at}>{withCitations(item, sources, isChosen, onChoose)}</li>
              ))}
            </ul>
          ) : (
            <p key={index}>{withCitations(text, sources, isChosen, onChoose)}</p>
          ),
        )}
      </div>
      {quoted.length > 0 && (
        <details className="ask-sources" open={quoted.length <= 4}>
          <summary>{t('sources', { count: quoted.length })}</summary>
          <ol>
            {quoted.map((source) => (
              <Source key={source.number} source={source} isChosen={isChosen(source)} onChoose={onChoose} />
            ))}
          </ol>
        </details>
      )}
      {message.usage && <ModelUsage usage={message.usage} />}
    </>
  );
}

type Block = { items: string[]; text?: undefined } | { items?: undefined; text: string };

/** Lines that begin with `- ` are items of a list; each other line is a paragraph. */
function blocksOf(content: string): Block[] {
  const blocks: Block[] = [];
  for (const line of content.split('\n')) {
    const last = blocks.at(-1);
    if (!line.startsWith('- ')) blocks.push({ text: line });
    else if (last?.items) last.items.push(line.slice(2));
    else blocks.push({ items: [line.slice(2)] });
  }
  return blocks;
}

/** Numbers in brackets become buttons that open their source; the rest is text. */
function withCitations(
  text: string,
  sources: readonly ChatSource[],
  isChosen: (source: ChatSource) => boolean,
  onChoose: (source: ChatSource) => void,
): ReactNode {
  return text.split(/(\[\d+\])/).map((part, index) => {
    const number = /^\[(\d+)\]$/.exec(part)?.[1];
    const source = number === undefined ? undefined : sources.find((one) => one.number === Number(number));
    if (!source) return <Fragment key={index}>{part}</Fragment>;
    return <Citation key={index} source={source} isChosen={isChosen(source)} onChoose={onChoose} />;
  });
}

interface SourceProps {
  source: ChatSource;
  isChosen: boolean;
  onChoose: (source: ChatSource) => void;
}

function Citation({ source, isChosen, onChoose }: SourceProps) {
  const { t } = useTranslation('ask');
  const titles = useTitles();
  const title = titles.title({ ...source, original_filename: source.filename });
  return (
    <button
      type="button"
      className={classNames('ask-cite', isChosen && 'ask-cite-on')}
      aria-label={t('source', { number: source.number, title })}
      title={title}
      aria-pressed={isChosen}
      onClick={() => onChoose(source)}
    >
      {source.number}
    </button>
  );
}

function Source({ source, isChosen, onChoose }: SourceProps) {
  const { t } = useTranslation('ask');
  const titles = useTitles();
  const formats = useFormats();
  return (
    <li>
      <button
        type="button"
        className={classNames('ask-source', isChosen && 'ask-source-on')}
        aria-pressed={isChosen}
        onClick={() => onChoose(source)}
      >
        <span className={classNames('ask-cite', isChosen && 'ask-cite-on')} aria-hidden="true">
          {source.number}
        </span>
        <span className="ask-source-words">
          <strong>{titles.title({ ...source, original_filename: source.filename })}</strong>
          <q lang="">{source.quote}</q>
        </span>
        <span className="cap">
          {[source.event_date && formats.date(source.event_date), source.page && t('page', { page: source.page })]
            .filter(Boolean)
            .join(', ')}
        </span>
      </button>
    </li>
  );
}
