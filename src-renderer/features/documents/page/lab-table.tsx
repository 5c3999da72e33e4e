import { Link } from '@tanstack/react-router';
import { Check, ChartLine, Pencil, Plus } from 'lucide-react';
import { Fragment, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { LabResult } from '../../../../src-shared/contract/labs.ts';
import type { DocumentDetail } from '../../../../src-shared/contract/rows.ts';
import { useFormats } from '../../../client/format.ts';
import { DoubtMark } from '../../../client/doubt-mark.tsx';
import { FLAG_SIGNS, flagOf, labValueText, rangeOf, rangeText } from '../../../client/lab-text.ts';
import { useTestName } from '../../../client/test-name.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { LabForm } from './lab-form.tsx';
import { groupByPanel, rangeBar } from './result-layout.ts';
import { rowPlace } from './places.ts';
import { RangeBar } from './range-bar.tsx';
import type { Highlight } from './highlight.ts';
import { useLabActions } from './use-lab-actions.ts';

/** Laboratory results by panel; out-of-range ones are marked by a sign and words. Results are edited in place. */
export function LabTable({
  document,
  mayEdit,
  ...highlight
}: { document: DocumentDetail; mayEdit: boolean } & Highlight) {
  const actions = useLabActions(document);
  const [editing, setEditing] = useState<EditedResult>(null);
  const add = useRef<HTMLButtonElement>(null);
  const results = document.lab_results;
  const section = useRef<HTMLElement>(null);
  const open = (id: EditedResult): void => {
    actions.reset();
    setEditing(id);
  };
  useFocusAfterResultEdit(editing, section, add);
  if (results.length === 0 && editing === null) return mayEdit ? <AddFirstResult onAdd={() => open('new')} /> : null;
  const form = { document, actions, onClose: () => open(null) };
  return (
    <section ref={section} className="rows" aria-labelledby="results-title">
      <ResultsHeading button={add} onAdd={mayEdit ? () => open('new') : null} />
      <table className="result-table">
        <ResultHead mayEdit={mayEdit} />
        <tbody>
          {groupByPanel(results).map(({ panel, results: rows }) => (
            <Fragment key={panel ?? ''}>
              {panel && <PanelRow panel={panel} />}
              {rows.map((result) =>
                editing === result.id ? (
                  <tr key={result.id}>
                    <td colSpan={5} className="row-editing">
                      <ResultForm {...form} result={result} />
                    </td>
                  </tr>
                ) : (
                  <ResultRow
                    key={result.id}
                    result={result}
                    mayEdit={mayEdit}
                    onEdit={() => open(result.id)}
                    onConfirm={() => actions.confirm(result)}
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
          <ResultForm {...form} result={null} />
        </div>
      )}
    </section>
  );
}

function ResultForm({
  result,
  document,
  actions,
  onClose,
}: {
  result: LabResult | null;
  document: DocumentDetail;
  actions: ReturnType<typeof useLabActions>;
  onClose: () => void;
}) {
  const testName = useTestName();
  const { t } = useTranslation('document');
  return (
    <LabForm
      row={result}
      name={result ? testName(result) : t('add_result')}
      patientId={document.patient_id}
      date={document.event_date}
      failure={actions.failure}
      isBusy={actions.busy}
      onClose={onClose}
      onSave={(values, done) => actions.save(result, values, done)}
      {...(result && {
        onRemove: () => {
          onClose();
          actions.remove(result);
        },
      })}
    />
  );
}

function ResultsHeading({
  button,
  onAdd,
}: {
  button: RefObject<HTMLButtonElement | null>;
  onAdd: (() => void) | null;
}) {
  const { t } = useTranslation('document');
  return (
    <h2 id="results-title">
      {t('results')} <span className="cap">{t('results_hint')}</span>
      {onAdd && (
        <IconButton ref={button} size="small" glyph={Plus} className="push" label={t('add_result')} onClick={onAdd} />
      )}
    </h2>
  );
}

const PanelRow = ({ panel }: { panel: string }) => (
  <tr className="panel-row">
    <th colSpan={5} scope="colgroup">
      {panel}
    </th>
  </tr>
);

function ResultRow({
  result,
  mayEdit,
  onEdit,
  onConfirm,
  highlighted,
  onHighlight,
  onShow,
}: { result: LabResult; mayEdit: boolean; onEdit: () => void; onConfirm: () => void } & Highlight) {
  const { t } = useTranslation('document');
  const { t: tDoubt } = useTranslation('doubt');
  const { locale } = useFormats();
  const key = rowPlace('lab', result.id);
  const name = useTestName()(result);
  return (
    <tr
      className={classNames(highlighted === key && 'row-highlighted')}
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
      <ResultValue result={result} />
      <td className="muted">{result.unit}</td>
      <td className="cap num">
        <span className="range">
          {rangeText(rangeOf(result), locale)}
          <TrendLink result={result} name={name} />
        </span>
      </td>
      {mayEdit && (
        <td className="result-edit">
          {result.doubt.length > 0 && (
            <IconButton size="small" glyph={Check} label={tDoubt('confirm', { name })} onClick={onConfirm} />
          )}
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
function TrendLink({ result, name }: { result: LabResult; name: string }) {
  const { t } = useTranslation('document');
  const bar = rangeBar(result);
  const content = bar ? <RangeBar bar={bar} flag={flagOf(result)} /> : <Icon glyph={ChartLine} size={14} />;
  if (result.patient_id === null) return bar ? content : null;
  const label = t('trend', { name });
  return (
    <Link
      to="/labs"
      search={{ patient: String(result.patient_id), test: result.test_name_original }}
      className="trend-link"
      aria-label={label}
      title={label}
    >
      {content}
    </Link>
  );
}

function AddFirstResult({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation('document');
  return (
    <div className="row rows-add">
      <Button size="small" glyph={Plus} onClick={onAdd}>
        {t('add_result')}
      </Button>
    </div>
  );
}

function ResultHead({ mayEdit }: { mayEdit: boolean }) {
  const { t } = useTranslation('document');
  return (
    <thead className="sr-only">
      <tr>
        <th>{t('test')}</th>
        <th>{t('value')}</th>
        <th>{t('unit')}</th>
        <th>{t('range')}</th>
        {mayEdit && <th>{t('edit_column')}</th>}
      </tr>
    </thead>
  );
}

/** The value with a sign and words if it is out of range. */
function ResultValue({ result }: { result: LabResult }) {
  const { t } = useTranslation('document');
  const { locale } = useFormats();
  const flag = flagOf(result);
  const flagLabels = { high: t('above'), low: t('below'), abnormal: t('outside') };
  return (
    <td className={classNames('num r', flag === 'low' ? 'low' : flag && 'high')}>
      {labValueText(result, locale)}
      {flag && (
        <>
          {' '}
          <span aria-hidden="true">{FLAG_SIGNS[flag]}</span>
          <span className="sr-only">{flagLabels[flag]}</span>
        </>
      )}
      <DoubtMark doubt={result.doubt} />
    </td>
  );
}

/** Id of the result in the form; `new` for one being added. */
type EditedResult = number | 'new' | null;

/** Returns the focus to the button that opened the form, unless the user has moved to another control. */
function useFocusAfterResultEdit(
  editing: EditedResult,
  section: RefObject<HTMLElement | null>,
  addButton: RefObject<HTMLButtonElement | null>,
): void {
  const previous = useRef<EditedResult>(null);
  useLayoutEffect(() => {
    const last = previous.current;
    previous.current = editing;
    if (last === null || editing !== null || document.activeElement !== document.body) return;
    const button =
      last === 'new' ? addButton.current : section.current?.querySelector<HTMLElement>(`[data-result="${last}"]`);
    button?.focus({ preventScroll: true });
  }, [editing, section, addButton]);
}
