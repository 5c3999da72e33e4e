import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { SHARE_DAYS } from '../../../src-shared/contract/shares.ts';
import { now } from '../../client/clock.ts';
import { useMe } from '../../client/session.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Tag } from '../../ui/chip.tsx';
import { Field, Input, Segments, Select } from '../../ui/field.tsx';
import type { ShareLabels } from './labels.ts';
import { useDelivery } from './queries.ts';

/** What is entered about a new share. */
export interface Draft {
  name: string;
  contact: string;
  /** NaN while no number is entered. */
  days: number;
  delivery: 'manual' | 'email';
  /** The model on the internet that translates for the recipient; empty for those of the home. */
  translator: string;
}
interface BlockProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  labels: ShareLabels;
}

const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;
/** Usual periods in days; others are entered as a number. */
const PERIODS = [1, 3, 7, 14, 30] as const;
const MAX_NAME = 200;
const MAX_CONTACT = 200;

/** Who receives the link. */
export function RecipientBlock({
  draft,
  change,
  isNameMissing,
  failure,
  labels: { t },
}: BlockProps & { isNameMissing: boolean; failure: Error | null }) {
  const heading = useId();
  const vocabulary = useVocabulary();
  return (
    <section className="ns-block" aria-labelledby={heading}>
      <h2 id={heading}>{t('new_recipient')}</h2>
      <div className="ns-two">
        <Field
          label={t('new_name')}
          error={isNameMissing ? t('new_name_missing') : vocabulary.fieldError(failure, 'recipient_label')}
        >
          {(control) => (
            <Input
              {...control}
              name="recipient"
              autoFocus
              autoComplete="off"
              maxLength={MAX_NAME}
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <Field
          label={t('new_contact')}
          hint={t('new_contact_hint')}
          error={vocabulary.fieldError(failure, 'recipient_contact')}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={MAX_CONTACT}
              value={draft.contact}
              onChange={(event) => change({ contact: event.target.value })}
            />
          )}
        </Field>
      </div>
    </section>
  );
}

/** How long the share is open. */
export function PeriodBlock({ draft, change, labels: { t, formats } }: BlockProps) {
  const heading = useId();
  const [isOther, setOther] = useState(false);
  const value = isOther ? 'other' : String(draft.days);
  const ends = new Date(now() + (Number.isFinite(draft.days) ? draft.days : 0) * DAY_MS);
  const label = (days: number): string =>
    days % DAYS_OF_WEEK === 0 ? t('weeks', { count: days / DAYS_OF_WEEK }) : t('days', { count: days });
  return (
    <section className="ns-block" aria-labelledby={heading}>
      <h2 id={heading}>{t('new_until')}</h2>
      <div className="row ns-period">
        <Segments
          label={t('new_until')}
          value={value}
          options={[
            ...PERIODS.map((days) => ({ value: String(days), label: label(days) })),
            { value: 'other', label: t('days_custom') },
          ]}
          onChange={(chosen) => {
            setOther(chosen === 'other');
            if (chosen !== 'other') change({ days: Number(chosen) });
          }}
        />
        {isOther && (
          <Input
            type="number"
            autoFocus
            className="ns-days"
            aria-label={t('days_number', { max: SHARE_DAYS.max })}
            min={SHARE_DAYS.min}
            max={SHARE_DAYS.max}
            value={Number.isNaN(draft.days) ? '' : draft.days}
            onChange={(event) => change({ days: event.target.valueAsNumber })}
          />
        )}
        <span className="cap num">{t('until', { date: formats.moment(ends.toISOString().slice(0, 19)) })}</span>
      </div>
    </section>
  );
}

/** How the recipient gets the code. */
export function CodeBlock({ draft, change, labels: { t } }: BlockProps) {
  const heading = useId();
  const reason = useId();
  const canMail = useDelivery()?.email;
  const isMissing = canMail === false;
  return (
    <section className="ns-block" aria-labelledby={heading}>
      <h2 id={heading}>{t('new_code')}</h2>
      <div className="panel" role="radiogroup" aria-labelledby={heading}>
        {(['manual', 'email'] as const).map((delivery) => (
          <label key={delivery} className="choice" data-off={(delivery === 'email' && isMissing) || undefined}>
            <input
              type="radio"
              name="delivery"
              checked={draft.delivery === delivery}
              disabled={delivery === 'email' && canMail !== true}
              aria-describedby={delivery === 'email' && isMissing ? reason : undefined}
              onChange={() => change({ delivery })}
            />
            <span className="strong">{t(`code_${delivery}`)}</span>
            {delivery === 'manual' && <Tag tone="ok">{t('code_safest')}</Tag>}
            <span className="cap">{t(`code_${delivery}_text`)}</span>
          </label>
        ))}
        {isMissing && <NoMail id={reason} t={t} />}
      </div>
    </section>
  );
}

/** Who translates for the recipient, where there is a choice. */
export function TranslationBlock({ draft, change, labels: { t } }: BlockProps) {
  const heading = useId();
  const translation = useDelivery()?.translation;
  if (!translation || translation.services.length === 0) return null;
  return (
    <section className="ns-block" aria-labelledby={heading}>
      <h2 id={heading}>{t('new_translation')}</h2>
      <Field label={t('translation_by')} hint={t(draft.translator === '' ? 'translation_kept' : 'translation_sent')}>
        {(control) => (
          <Select
            {...control}
            value={draft.translator}
            options={[
              { value: '', label: t(translation.home ? 'translation_home' : 'translation_none') },
              ...translation.services.map(({ id, name }) => ({ value: id, label: t('translation_service', { name }) })),
            ]}
            onChange={(event) => change({ translator: event.target.value })}
          />
        )}
      </Field>
    </section>
  );
}

/** Why no code goes by e-mail, and where that is changed. */
function NoMail({ id, t }: { id: string; t: ShareLabels['t'] }) {
  const isAdmin = useMe()?.role === 'admin';
  return (
    <p id={id} className="cap ns-reason">
      {t('code_email_missing')}{' '}
      {isAdmin ? <Link to="/settings/sharing">{t('code_email_set_up')}</Link> : t('code_email_admin')}
    </p>
  );
}
