import type { DocumentListItem } from '../../../../src-shared/contract/rows.ts';
import { useEffect, useRef } from 'react';
import { addressOf, contract } from '../../../client/api.ts';
import { useTitles } from '../../../client/document-title.ts';
import { useFormats } from '../../../client/format.ts';
import { RowPerson } from '../../../client/people.tsx';
import { FirstPage } from './first-page.tsx';

/** A grid of first pages, for recognizing documents by their appearance. Calls `onEnd` near the end of the list. */
export function PageGrid({
  items,
  onOpen,
  onEnd,
}: {
  items: readonly DocumentListItem[];
  onOpen: (id: number) => void;
  onEnd: () => void;
}) {
  const formats = useFormats();
  const titles = useTitles();
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) onEnd();
      },
      { root: document.getElementById('content'), rootMargin: '600px' },
    );
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, [onEnd, items.length]);
  return (
    <ul className="page-grid">
      {items.map((item) => (
        <li key={item.id}>
          <button type="button" className="page-card" onClick={() => onOpen(item.id)}>
            <FirstPage
              name={titles.title(item)}
              stored={addressOf(contract.documents.thumbnail, { params: { id: item.id } })}
            />
            <RowPerson of={item} />
            <span className="strong page-card-title">{titles.title(item)}</span>
            <span className="cap num">
              {[formats.date(item.event_date), titles.caption(item)].filter(Boolean).join(' · ')}
            </span>
          </button>
        </li>
      ))}
      <li ref={end} aria-hidden="true" className="grid-end" />
    </ul>
  );
}
