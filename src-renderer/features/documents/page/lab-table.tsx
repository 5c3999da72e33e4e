import { Link } from '@tanstack/react-router';
import { ChartLine, Pencil, Plus } from 'lucide-react';
import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabResult } from '../../../../src-shared/contract/labs.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { useFormats } from '../../../client/format.ts';
import { FLAG_SIGNS, flagOf, labValueText, rangeText } from '../../../client/lab-text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { LabForm } from './lab-form.tsx';
import { groupByPanel, rangeBar } from './lab-text.ts';
import { rowPlace } from './places.ts';
import { RangeBar } from './range-bar.tsx';
import type { Highlight } from './highlight.ts';
import { useLabActions } from './use-lab-actions.ts';

/** Laboratory results by panel, out-of-range ones marked by sign and words. Each is edited in its place; further ones are added below. */
export function LabTable({
  document,
  mayEdit,
  ...highlight
}: { document: DocumentDetail; mayEdit: boolean } & Highlight) {
  const { t } = useTranslation('document');
  const actions = useLabActions(document);
  /** Id of the result that is edited; `new` for one that is added. */
  const [editing, setEditing] = useState<number | 'new' | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  const results = document.lab_results;
  const section = useRef<HTMLElement>(null);
  const before = useRef<number | 'new' | null>(null);
  const open = (which: number | 'new' | null): void => {
    actions.forget();
    setEditing(which);
  };
  // The focus goes back to the button that opened the form, unless the person went on to something else.
  useLayoutEffect(() => {
    const last = before.current;
    before.current = editing;
    if (last === null || editing !== null || globalThis.document.activeElement !== globalThis.document.body) return;
    (last === 'new' ? add.current : section.current?.querySelector<HTMLElement>(`[data-result="${last}"]`))?.focus({
      preventScroll: true,
    });
  }, [editing]);
  if (results.length === 0 && editing === null)
    return mayEdit ? (
      <div className="row rows-add">
        <Button size="small" glyph={Plus} onClick={() => open('new')}>
          {t('add_result')}
        </Button>
      </div>
    ) : null;
  const form = {
    patientId: document.patient_id,
    date: document.event_date,
    failure: actions.failure,
    busy: actions.busy,
  };
  return (
    <section ref={section} className="rows" aria-labelledby="results-title">
      <h2 id="results-title">
        {t('results')} <span className="cap">{t('results_hint')}</span>
        {mayEdit && (
          <IconButton
            ref={add}
            size="small"
            glyph={Plus}
            className="push"
            label={t('add_result')}
            onClick={() => open('new')}
          />
        )}
      </h2>
      <table className="result-table">
        <thead className="sr-only">
          <tr>
            <th>{t('test')}</th>
            <th>{t('value')}</th>
            <th>{t('unit')}</th>
            <th>{t('range')}</th>
            {mayEdit && <th>{t('edit_column')}</th>}
          </tr>
        </thead>
        <tbody>
          {groupByPanel(results).map(({ panel, results: rows }) => (
            <Fragment key={panel ?? ''}>
              {panel && (
                <tr className="panel-row">
                  <th colSpan={5} scope="colgroup">
                    {panel}
                  </th>
                </tr>
              )}
              {rows.map((result) =>
                editing === result.id ? (
                  <tr key={result.id}>
                    <td colSpan={5} className="row-editing">
                      <LabForm
                        row={result}
                        name={nameOf(result)}
                        {...form}
                        onClose={() => open(null)}
                        onSave={(values, done) => actions.save(result, values, done)}
                        onRemove={() => {
                          open(null);
                          actions.remove(result);
                        }}
                      />
                    </td>
                  </tr>
                ) : (
                  <ResultRow
                    key={result.id}
                    result={result}
                    mayEdit={mayEdit}
                    onEdit={() => open(result.id)}
                    {...highlight}
                  />
                ),
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {editing === 'new' && (
        <div className="row-editing">
          <LabForm
            row={null}
            name={t('add_result')}
            {...form}
            onClose={() => open(null)}
            onSave={(values, done) => actions.save(null, values, done)}
          />
        </div>
      )}
    </section>
  );
}

const nameOf = (result: LabResult): string => result.test_name_canonical ?? result.test_name_original;

function ResultRow({
  result,
  mayEdit,
  onEdit,
  highlighted,
  onHighlight,
  onShow,
}: { result: LabResult; mayEdit: boolean; onEdit: () => void } & Highlight) {
  const { t } = useTranslation('document');
  const { locale } = useFormats();
  const flag = flagOf(result),
    key = rowPlace('lab', result.id),
    name = nameOf(result);
  const flagLabels = { high: t('above'), low: t('below'), abnormal: t('outside') };
  return (
    <tr
      className={classNames(highlighted === key && 'row-lit')}
      onPointerEnter={() => onHighlight(key)}
      onPointerLeave={() => onHighlight(null)}
    >
      <td>
        <button
          type="button"
          className="row-button"
          title={name === result.test_name_original ? undefined : result.test_name_original}
          onFocus={() => onHighlight(key)}
          onBlur={() => onHighlight(null)}
          onClick={() => onShow(key)}
        >
          {name}
          {result.edited_fields !== null && <span className="cap"> · {t('by_hand')}</span>}
        </button>
      </td>
      <td className={classNames('num r', flag === 'low' ? 'low' : flag && 'high')}>
        {labValueText(result, locale)}
        {flag && (
          <>
            {' '}
            <span aria-hidden="true">{FLAG_SIGNS[flag]}</span>
            <span className="sr-only">{flagLabels[flag]}</span>
          </>
        )}
      </td>
      <td className="muted">{result.unit}</td>
      <td className="cap num">
        <span className="range">
          {rangeText(result.reference_range_low, result.reference_range_high, locale)}
          <Course result={result} name={name} />
        </span>
      </td>
      {mayEdit && (
        <td className="result-edit">
          <IconButton
            size="small"
            glyph={Pencil}
            label={t('edit_field', { field: name })}
            data-result={result.id}
            onClick={onEdit}
          />
        </td>
      )}
    </tr>
  );
}

/** Shows where the value is in its range, with a link to its trend. */
function Course({ result, name }: { result: LabResult; name: string }) {
  const { t } = useTranslation('document');
  const bar = rangeBar(result);
  const shown = bar ? <RangeBar bar={bar} flag={flagOf(result)} /> : <Icon glyph={ChartLine} size={14} />;
  if (result.patient_id === null) return bar ? shown : null;
  const label = t('course', { name });
  return (
    <Link
      to="/labs"
      search={{ patient: String(result.patient_id), test: result.test_name_original }}
      className="course-link"
      aria-label={label}
      title={label}
    >
      {shown}
    </Link>
  );
}
