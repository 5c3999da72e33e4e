import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentDetail } from '../../../src-shared/contract/rows.ts';
import { useFormats } from '../../app/i18n/format.ts';
import { flagOf, labValueText, rangeText } from '../../app/lab-text.ts';
import { classNames } from '../../ui/class-names.ts';
import { groupByPanel, rangeBar } from './lab-text.ts';
import { rowPlace } from './places.ts';
import { RangeBar } from './range-bar.tsx';
import type { Lighting } from './sheet.tsx';

/** Laboratory results by panel, out-of-range ones marked by sign and words. */
export function LabTable({ results, lit, onLight, onShow }: { results: DocumentDetail['lab_results'] } & Lighting) {
  const { t } = useTranslation('document');
  const { locale } = useFormats();
  const words = { high: t('above'), low: t('below'), abnormal: t('outside') };
  return (
    <section className="rows" aria-labelledby="results-title">
      <h2 id="results-title">{t('results')} <span className="cap">{t('results_hint')}</span></h2>
      <table className="result-table">
        <thead className="sr-only"><tr><th>{t('test')}</th><th>{t('value')}</th><th>{t('unit')}</th><th>{t('range')}</th></tr></thead>
        <tbody>
          {groupByPanel(results).map(({ panel, results: rows }) => (
            <Fragment key={panel ?? ''}>
              {panel && <tr className="panel-row"><th colSpan={4} scope="colgroup">{panel}</th></tr>}
              {rows.map((result) => {
                const flag = flagOf(result);
                const key = rowPlace('lab', result.id);
                return (
                  <tr key={result.id} className={classNames(lit === key && 'row-lit')} onPointerEnter={() => onLight(key)} onPointerLeave={() => onLight(null)}>
                    <td><button type="button" className="row-button" onFocus={() => onLight(key)} onBlur={() => onLight(null)} onClick={() => onShow(key)}>{result.test_name_canonical ?? result.test_name_original}</button></td>
                    <td className={classNames('num r', flag === 'low' ? 'low' : flag && 'high')}>{labValueText(result, locale)}{flag && <> <span aria-hidden="true">{flag === 'low' ? '▼' : flag === 'high' ? '▲' : '!'}</span><span className="sr-only">{words[flag]}</span></>}</td>
                    <td className="muted">{result.unit}</td>
                    <td className="cap num"><span className="range">{rangeText(result.reference_range_low, result.reference_range_high, locale)}<RangeBar bar={rangeBar(result)} flag={flag} /></span></td>
                  </tr>
                );
              })}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}
