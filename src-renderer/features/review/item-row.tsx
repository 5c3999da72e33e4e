import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { DocumentListItem } from '../../../src-shared/contract/rows.ts';
import { addressOf, contract } from '../../client/api.ts';
import { useTitles } from '../../client/document-title.ts';
import { useDoubtText } from '../../client/doubt-mark.tsx';
import { useFormats } from '../../client/format.ts';
import { rangeOf, rangeText } from '../../client/lab-text.ts';
import { RowPerson } from '../../client/people.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useTestName } from '../../client/test-name.ts';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { PageCrop } from '../../ui/page-crop.tsx';
import type { Choice, Item } from './choices.ts';
import { useDocumentPlaces } from './queries.ts';
import { ResultEntry } from './result-entry.tsx';

/** Width of the page image of a crop, in pixels. */
const CROP_WIDTH = 1600;
/** The head of the first page, where letters name the patient. */
const PAGE_HEAD = { page: 1, bbox: [0.05, 0.08, 0.9, 0.1] as const };
const MAX_LISTED = 6;

/** A question with its answers. The open one also shows the place on the page, its documents and the keys. */
export function ItemRow({
  item,
  choices,
  isActive,
  isEntering,
  onActivate,
  onChoose,
  onCancelEntry,
}: {
  item: Item;
  choices: readonly Choice[];
  isActive: boolean;
  /** Whether another value is being typed. */
  isEntering: boolean;
  onActivate: () => void;
  onChoose: (choice: Choice) => void;
  onCancelEntry: () => void;
}) {
  const { title, detail } = useItemText(item);
  return (
    <li className="review-item" aria-current={isActive || undefined}>
      <div className="review-words">
        {item.kind !== 'patient' && <RowPerson of={item.document} />}
        {isActive ? (
          <span className="strong">{title}</span>
        ) : (
          <button type="button" className="review-open strong" onClick={onActivate}>
            {title}
          </button>
        )}
        <span className="muted">{detail}</span>
      </div>
      {isActive && <Proof item={item} />}
      {item.kind === 'result' && isEntering ? (
        <ResultEntry
          result={item.result}
          onEnter={(value) => onChoose({ kind: 'value', ...value, source: 'entry' })}
          onCancel={onCancelEntry}
        />
      ) : (
        <Answers item={item} choices={choices} hasKeys={isActive} onChoose={onChoose} />
      )}
    </li>
  );
}

function Answers({
  item,
  choices,
  hasKeys,
  onChoose,
}: {
  item: Item;
  choices: readonly Choice[];
  hasKeys: boolean;
  onChoose: (choice: Choice) => void;
}) {
  const { t } = useTranslation('review');
  const answerText = useAnswerText();
  const count = item.kind === 'patient' ? item.question.documents.length : 1;
  return (
    <div className="review-answers">
      {choices.map((choice, index) => (
        <Button key={answerText(choice, count)} size={hasKeys ? 'medium' : 'small'} onClick={() => onChoose(choice)}>
          {hasKeys && <Kbd keys={String(index + 1)} />}
          {answerText(choice, count)}
          {hasKeys && choice.kind === 'value' && choice.source !== 'entry' && (
            <span className="cap">{t(`source_${choice.source}`)}</span>
          )}
        </Button>
      ))}
      {item.kind !== 'patient' && (
        <Link
          className="btn btn-quiet btn-small"
          to="/documents/$id"
          params={{ id: String(item.document.id) }}
          search={item.kind === 'result' ? { value: `lab:${item.result.id}` } : fieldSearch(item.document)}
        >
          {t('open_document')}
        </Link>
      )}
      {item.kind === 'patient' && choices.length === 0 && <span className="cap">{t('read_only')}</span>}
    </div>
  );
}

function fieldSearch({ review_reasons: [reason] }: DocumentListItem): { value?: string } {
  return reason?.field ? { value: `field:${reason.field}` } : {};
}

/** The words on an answer, named by its outcome. */
function useAnswerText(): (choice: Choice, count: number) => string {
  const { t } = useTranslation('review');
  const formats = useFormats();
  return (choice, count) => {
    switch (choice.kind) {
      case 'add':
        return t('add', { count, name: choice.name });
      case 'assign':
        return choice.isChosen ? t('belongs', { count, name: choice.name }) : t('file', { count, name: choice.name });
      case 'split':
        return t('each');
      case 'date':
        return formats.dateFull(choice.date);
      case 'value':
        return [choice.value_text, choice.unit ?? t('no_unit')].join('\u202f');
      case 'enter':
        return t('enter');
      case 'unreadable':
        return t('unreadable');
      case 'restore':
        return t('restore', { label: choice.label });
      case 'read_new':
        return t('read_new');
      case 'reviewed':
        return t('right');
    }
  };
}

/** The question, and why it arises. */
function useItemText(item: Item): { title: string; detail: string } {
  const { t } = useTranslation('review');
  const formats = useFormats();
  const vocabulary = useVocabulary();
  const doubtText = useDoubtText();
  const testName = useTestName();
  const titles = useTitles();
  if (item.kind === 'result') {
    const { result } = item;
    const range = rangeText(rangeOf(result), formats.locale);
    return {
      title: t('what_is', { name: testName(result) }),
      detail: [doubtText(result.doubt), ...(range === '' ? [] : [t('range', { range })])].join(' '),
    };
  }
  if (item.kind === 'document') {
    const { review_reasons: reasons, status } = item.document;
    const detail = reasons.map(vocabulary.review).join(' ');
    return {
      title: titles.title(item.document),
      detail: detail || (vocabulary.readingError(item.document) ?? vocabulary.status(status)),
    };
  }
  const { name, date_of_birth: birth, other_names: others, chosen, documents, candidates } = item.question;
  const count = documents.length;
  const born = birth === null ? '' : formats.dateFull(birth);
  const printed = name === null ? t('nobody') : name;
  const first = birth === null ? printed : t('born', { name: printed, date: born });
  const who = [first, ...others].join(' · ');
  const isStranger = name !== null && candidates.length === 0 && others.length === 0;
  return {
    title: t('question', { who, count }),
    detail: [
      others.length > 0 ? t('several') : '',
      isStranger ? t('stranger') : '',
      chosen ? t('chosen', { name: chosen.display_name }) : t('unchosen'),
    ]
      .filter(Boolean)
      .join(' '),
  };
}

/** The place of the value that a question is about. */
function placeOf(item: Exclude<Item, { kind: 'result' }>, places: ReturnType<typeof useDocumentPlaces>) {
  const fields =
    item.kind === 'patient' ? ['extracted_patient_name', 'date_of_birth'] : [item.document.review_reasons[0]?.field];
  return fields.map((field) => places?.evidence[field ?? '']).find((evidence) => evidence !== undefined);
}

/** The place on the page that raised the question, and the documents it concerns. */
function Proof({ item }: { item: Item }) {
  const { t } = useTranslation('review');
  const titles = useTitles();
  const documents = item.kind === 'patient' ? item.question.documents : [item.document];
  const first = documents[0];
  const places = useDocumentPlaces(first?.id ?? null);
  if (!first) return null;
  const place = item.kind === 'result' ? item.result.evidence : placeOf(item, places);
  const { page, bbox } = place ?? PAGE_HEAD;
  const hasPages = (first.page_count ?? 0) > 0;
  return (
    <div className="review-proof">
      {hasPages && places && (
        <PageCrop
          src={addressOf(contract.documents.pageImage, {
            params: { id: first.id, page },
            query: { width: CROP_WIDTH, v: first.file_hash.slice(0, 12) },
          })}
          box={bbox}
          label={t('crop', { page, name: titles.title(first) })}
        />
      )}
      <ul className="review-documents">
        {documents.slice(0, MAX_LISTED).map((document) => (
          <li key={document.id}>
            <DocumentLink document={document} />
          </li>
        ))}
        {documents.length > MAX_LISTED && (
          <li className="cap">{t('more', { count: documents.length - MAX_LISTED })}</li>
        )}
      </ul>
    </div>
  );
}

function DocumentLink({ document }: { document: DocumentListItem }) {
  const titles = useTitles();
  const formats = useFormats();
  return (
    <Link className="review-document" to="/documents/$id" params={{ id: String(document.id) }}>
      <span className="truncate">
        {titles.title(document)} <span className="cap">{titles.caption(document)}</span>
      </span>
      <span className="cap num">
        <RowPerson of={document} /> {formats.date(document.event_date)}
      </span>
    </Link>
  );
}
