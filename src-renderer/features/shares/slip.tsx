import { useQueries } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Printer } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Share } from '../../../src-shared/contract/shares.ts';
import { localDay } from '../../client/clock.ts';
import { LANGUAGES, wordsIn } from '../../client/language.ts';
import { storePreference, readPreference } from '../../client/storage.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { useShares } from '../../client/shares.ts';
import { Crumb } from '../../ui/top-bar-places.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Input, Segments } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx';
import { useShareLabels, type ShareLabels } from './labels.ts';
import { QrCode } from './qr-code.tsx';
import './parts.css';
import './slip.css';

/** Digits of a code. */
const DIGITS = 6;
type Paper = 'a5' | 'a4';

/** A slip of paper with the link as a QR code, what to do in every language of Hearth, and boxes for the code. */
export default function SlipPage() {
  const labels = useShareLabels();
  const { t } = labels;
  const vocabulary = useVocabulary();
  const { share: shareId, patient } = useSearch({ from: '/frame/shares/slip' });
  const { data, error, refetch } = useShares(patient);
  const share = data?.find(({ share_id }) => share_id === shareId);
  const [paper, setPaper] = useState<Paper>('a5');
  const [phone, setPhone] = useState(readPreference('slip-phone') ?? '');
  return (
    <div className="slip-page" data-paper={paper}>
      {share && <Crumb>{share.recipient_label}</Crumb>}
      <div className="slip-tools">
        <Link
          to="/shares"
          search={(before) => ({ patient: before.patient, share: shareId })}
          className={buttonClass({ variant: 'quiet' })}
        >
          <Icon glyph={ArrowLeft} />
          {t('slip_back')}
        </Link>
        {share?.otp_delivery === 'manual' && (
          <Input
            type="tel"
            className="slip-phone"
            aria-label={t('slip_phone')}
            placeholder={t('slip_phone')}
            autoComplete="tel"
            value={phone}
            onChange={(event) => {
              setPhone(event.target.value);
              storePreference('slip-phone', event.target.value);
            }}
          />
        )}
        <Segments
          label={t('slip_size')}
          value={paper}
          options={[
            { value: 'a5', label: 'A5' },
            { value: 'a4', label: 'A4' },
          ]}
          onChange={setPaper}
        />
        <Button variant="primary" glyph={Printer} onClick={() => print()}>
          {t('slip_print')}
        </Button>
      </div>
      {error && !data && (
        <ErrorState message={vocabulary.error(error)} retryLabel={t('retry')} onRetry={() => void refetch()} />
      )}
      {!data && !error && <SkeletonLines count={6} label={t('loading')} />}
      {data && !share?.share_url && <EmptyState isPage title={t('slip_none')} />}
      {share?.share_url && <Slip share={share} link={share.share_url} phone={phone.trim()} labels={labels} />}
    </div>
  );
}

function Slip({ share, link, phone, labels }: { share: Share; link: string; phone: string; labels: ShareLabels }) {
  const { t, formats } = labels;
  const isMail = share.otp_delivery === 'email';
  return (
    <article className="slip">
      <p className="slip-cap">{t('slip_for')}</p>
      <h1 translate="no">{share.recipient_label}</h1>
      <div className="slip-top">
        <QrCode text={link} label={t('qr_label')} />
        <div>
          <p className="slip-until">
            {t('slip_until')}
            <strong className="num">{formats.date(localDay(share.expires_at))}</strong>
          </p>
          <p className="slip-cap">{isMail ? t('slip_alone_mail') : t('slip_alone')}</p>
        </div>
      </div>
      <Instructions isMail={isMail} phone={phone} />
      <p className="mono slip-link">{link}</p>
    </article>
  );
}

/** What to do, in the language of the reader first, with boxes for the code below it. */
function Instructions({ isMail, phone }: { isMail: boolean; phone: string }) {
  const { i18n } = useTranslation();
  const languages = [...LANGUAGES].sort(
    (a, b) => Number(b.value === i18n.language) - Number(a.value === i18n.language),
  );
  const found = useQueries({
    queries: languages.map(({ value }) => ({
      queryKey: ['words', value],
      staleTime: Infinity,
      queryFn: () => wordsIn(value),
    })),
  });
  return found.map(({ data: words }, index) => {
    const language = languages[index]?.value;
    if (!words || language === undefined) return null;
    const call = phone === '' ? words('slip_call_us', { ns: 'shares' }) : words('slip_call', { ns: 'shares', phone });
    return (
      <section key={language} lang={language} className="slip-steps">
        <ol>
          <li>{words('slip_scan', { ns: 'shares' })}</li>
          <li>{isMail ? words('slip_mail', { ns: 'shares' }) : call}</li>
          <li>{words('slip_enter', { ns: 'shares' })}</li>
        </ol>
        {index === 0 && (
          <div className="slip-boxes" aria-hidden="true">
            {Array.from({ length: DIGITS }, (_, box) => (
              <i key={box} />
            ))}
          </div>
        )}
      </section>
    );
  });
}
