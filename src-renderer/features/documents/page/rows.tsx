import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { useFormats } from '../../../client/format.ts';
import { classNames } from '../../../ui/class-names.ts';
import { rowPlace, type PlaceKey } from './places.ts';
import type { Highlight } from './highlight.ts';

interface Row {
  key: PlaceKey;
  main: string;
  notes: (string | null)[];
  end: string | null;
}

/** Invoice lines and sections; each line links to where it was read. */
export function Rows({ document, ...highlight }: { document: DocumentDetail } & Highlight) {
  const { t } = useTranslation('document');
  const formats = useFormats();
  const money = (amount: number | null, currency: string | null): string | null =>
    amount === null
      ? null
      : new Intl.NumberFormat(
          formats.locale,
          currency ? { style: 'currency', currency } : { minimumFractionDigits: 2 },
        ).format(amount);
  const total = document.invoice_items.reduce((sum, row) => sum + (row.amount ?? 0), 0);
  const invoice = document.invoice_items.map((row): Row => ({
    key: rowPlace('invoice', row.id),
    main: row.description,
    notes: [row.tariff_code, row.quantity === null ? null : `× ${formats.number(row.quantity)}`],
    end: money(row.amount, row.currency),
  }));
  return (
    <>
      <RowList
        title={t('invoice')}
        rows={invoice}
        foot={invoice.length > 1 ? [t('total'), money(total, document.invoice_items[0]?.currency ?? null) ?? ''] : null}
        {...highlight}
      />
      {document.sections.length > 0 && (
        <section className="rows">
          <h2>{t('sections')}</h2>
          <ul>
            {document.sections.map((section) => (
              <li key={section.id} className="value-row">
                <span>{t(`section_${section.section_type}`)}</span>
                <span className="cap num">
                  {section.page_start === section.page_end
                    ? t('page_one', { page: section.page_start })
                    : t('pages_range', { from: section.page_start, to: section.page_end })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function RowList({
  title,
  rows,
  foot = null,
  highlighted,
  onHighlight,
  onShow,
}: { title: string; rows: readonly Row[]; foot?: readonly [string, string] | null } & Highlight) {
  if (rows.length === 0) return null;
  return (
    <section className="rows">
      <h2>{title}</h2>
      <ul>
        {rows.map(({ key, main, notes, end }) => {
          const shownNotes = notes.filter((note): note is string => note !== null && note !== '');
          return (
            <li
              key={key}
              className={classNames('value-row', highlighted === key && 'row-highlighted')}
              onPointerEnter={() => onHighlight(key)}
              onPointerLeave={() => onHighlight(null)}
            >
              <button
                type="button"
                className="row-button"
                onFocus={() => onHighlight(key)}
                onBlur={() => onHighlight(null)}
                onClick={() => onShow(key)}
              >
                {main}
                {shownNotes.length > 0 && <span className="cap"> {shownNotes.join(' · ')}</span>}
              </button>
              <span className="num muted">{end}</span>
            </li>
          );
        })}
      </ul>
      {foot && (
        <p className="value-row rows-foot">
          <strong>{foot[0]}</strong>
          <strong className="num">{foot[1]}</strong>
        </p>
      )}
    </section>
  );
}
