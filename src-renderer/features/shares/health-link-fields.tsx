import { useId } from 'react';
import { MAX_LINK_LABEL, MAX_PASSCODE_TRIES, PASSCODE_LENGTH } from '../../../src-shared/contract/health-links.ts';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import type { Share } from '../../../src-shared/contract/shares.ts';
import { fromTimestamp, now } from '../../client/clock.ts';
import { Checkbox, Field, Input, Segments } from '../../ui/field.tsx';
import type { ShareLabels } from './labels.ts';

/** What is chosen about a new link. */
export interface LinkDraft {
  documents: readonly number[];
  /** Empty for a link without one. */
  passcode: string;
  /** Null for as long as the share. */
  hours: number | null;
  isOneTime: boolean;
  label: string;
}

const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;
const DAYS_OF_WEEK = 7;
/** Usual periods in hours. */
const PERIODS = [1, HOURS_OF_DAY, HOURS_OF_DAY * DAYS_OF_WEEK] as const;

const toTimestamp = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/** The shortest usual period that lasts until then. */
export const periodUntil = (end: string): number | null =>
  PERIODS.find((hours) => now() + hours * HOUR_MS >= fromTimestamp(end)) ?? null;

/** Passcode, period, use and name of a link. */
export function LinkFields({
  share,
  draft,
  change,
  isTooShort,
  labels: { t, formats },
}: {
  share: Share;
  draft: LinkDraft;
  change: (part: Partial<LinkDraft>) => void;
  isTooShort: boolean;
  labels: ShareLabels;
}) {
  const period = useId();
  const hoursLeft = (fromTimestamp(share.expires_at) - now()) / HOUR_MS;
  const ends = draft.hours === null ? share.expires_at : toTimestamp(now() + draft.hours * HOUR_MS);
  const wording = (hours: number): string => {
    if (hours < HOURS_OF_DAY) return t('hl_hours', { count: hours });
    const days = hours / HOURS_OF_DAY;
    return days % DAYS_OF_WEEK === 0 ? t('weeks', { count: days / DAYS_OF_WEEK }) : t('days', { count: days });
  };
  return (
    <>
      <Field
        label={t('hl_passcode')}
        hint={
          draft.passcode.trim() === '' ? t('hl_passcode_none') : t('hl_passcode_hint', { tries: MAX_PASSCODE_TRIES })
        }
        error={isTooShort ? t('hl_passcode_short', { min: PASSCODE_LENGTH.min }) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            className="hl-passcode"
            maxLength={PASSCODE_LENGTH.max}
            value={draft.passcode}
            onChange={(event) => change({ passcode: event.target.value })}
          />
        )}
      </Field>
      <div className="form-field">
        <span id={period} className="form-label">
          {t('hl_until')}
        </span>
        <Segments
          label={t('hl_until')}
          value={String(draft.hours)}
          options={[
            ...PERIODS.filter((hours) => hours < hoursLeft).map((hours) => ({
              value: String(hours),
              label: wording(hours),
            })),
            { value: 'null', label: t('hl_with_share') },
          ]}
          onChange={(value) => change({ hours: value === 'null' ? null : Number(value) })}
        />
        <span className="form-hint num">{t('until', { date: formats.moment(ends) })}</span>
      </div>
      <div>
        <Checkbox
          label={t('hl_one_time')}
          checked={draft.isOneTime}
          onChange={(event) => change({ isOneTime: event.target.checked })}
        />
        <p className="form-hint">{t('hl_one_time_hint')}</p>
      </div>
      <Field label={t('hl_label')} hint={t('hl_label_hint')}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={MAX_LINK_LABEL}
            value={draft.label}
            onChange={(event) => change({ label: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Which documents of the share are in the link. */
export function DocumentChoice({
  documents,
  chosen,
  isMissing,
  labels: { t, formats, documentTitle },
  onChange,
}: {
  documents: readonly SharedDocument[];
  chosen: readonly number[];
  isMissing: boolean;
  labels: ShareLabels;
  onChange: (chosen: number[]) => void;
}) {
  const toggle = (id: number): void =>
    onChange(documents.map((one) => one.id).filter((one) => (one === id) !== chosen.includes(one)));
  return (
    <fieldset className="hl-documents">
      <legend>{t('hl_documents', { chosen: chosen.length, all: documents.length })}</legend>
      <div className="sh-pick">
        {documents.map((document) => (
          <label key={document.id} className="sh-pick-row">
            <input
              type="checkbox"
              className="check"
              checked={chosen.includes(document.id)}
              onChange={() => toggle(document.id)}
            />
            <span className="truncate strong">{documentTitle(document)}</span>
            <span className="cap num">
              {[document.page_count && t('pages', { count: document.page_count }), formats.date(document.event_date)]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </label>
        ))}
      </div>
      {isMissing && (
        <span className="form-error" role="alert">
          {t('hl_documents_missing')}
        </span>
      )}
    </fieldset>
  );
}
