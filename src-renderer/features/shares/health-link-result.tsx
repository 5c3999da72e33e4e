import { Copy, Printer } from 'lucide-react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import type { HealthLinkRow } from '../../../src-shared/contract/health-links.ts';
import type { SharedDocument } from '../../../src-shared/contract/share.ts';
import type { Share } from '../../../src-shared/contract/shares.ts';
import { localDay } from '../../client/clock.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';
import { useHealthLinks } from './health-link-queries.ts';
import { Explanation, LinkProgress } from './health-link-state.tsx';
import type { ShareLabels } from './labels.ts';
import { QrCode } from './qr-code.tsx';
import { useCopy } from './use-copy.ts';
import './slip.css';

interface Props {
  share: Share;
  link: HealthLinkRow & { link: string };
  /** Empty for a link without one. */
  passcode: string;
  documents: readonly SharedDocument[];
  labels: ShareLabels;
  /** Called when the link was copied or printed. */
  onKeep: () => void;
  /** Called when the link could not be made. */
  onFailure: () => void;
}

/** A new link, once: as a QR code, to be copied and to be printed. */
export function HealthLinkResult({ share, link: made, passcode, documents, labels, onKeep, onFailure }: Props) {
  const { t } = labels;
  const copy = useCopy();
  const { data } = useHealthLinks(share.share_id);
  const link = data?.find(({ link_id }) => link_id === made.link_id) ?? made;
  const isFailed = link.status === 'failed';
  useEffect(() => {
    if (isFailed) onFailure();
  }, [isFailed, onFailure]);
  const keep = async (): Promise<void> => {
    if (await copy(made.link, (words) => words.t('hl_copied', { ns: 'shares' }))) onKeep();
  };
  if (isFailed)
    return (
      <Notice tone="bad">
        <Explanation link={link} documents={documents} labels={labels} />
      </Notice>
    );
  return (
    <>
      <div ref={showStart}>
        <Notice tone="warn">{t('hl_once_only')}</Notice>
      </div>
      <div className="hl-result">
        <QrCode text={made.link} label={t('hl_qr')} />
        <div className="hl-side">
          <LinkState link={link} labels={labels} />
          {passcode !== '' && (
            <p>
              <span className="cap">{t('hl_passcode_of')}</span>
              <span className="hl-secret num" translate="no">
                {passcode}
              </span>
              <span className="cap">{t('hl_passcode_apart')}</span>
            </p>
          )}
          <div className="row hl-keep">
            <Button variant="primary" glyph={Copy} onClick={() => void keep()}>
              {t('copy_link')}
            </Button>
            <Button
              glyph={Printer}
              onClick={() => {
                print();
                onKeep();
              }}
            >
              {t('slip_print')}
            </Button>
          </div>
        </div>
      </div>
      <p className="mono sh-link hl-text" tabIndex={0} role="group" aria-label={t('hl_qr_text')}>
        {made.link}
      </p>
      {createPortal(
        <PrintedLink link={made} hasPasscode={passcode !== ''} share={share} labels={labels} />,
        document.body,
      )}
    </>
  );
}

/** The form before it was scrolled to its end. */
const showStart = (first: HTMLElement | null): void => first?.scrollIntoView({ block: 'end' });

/** Whether the link opens already; told to screen readers when it changes. */
function LinkState({ link, labels }: { link: HealthLinkRow; labels: ShareLabels }) {
  return (
    <div role="status">
      {link.status === 'making' ? (
        <LinkProgress progress={link.progress ?? { pages_done: 0, pages_total: 0 }} labels={labels} />
      ) : (
        <span className="strong">{labels.t('hl_opens')}</span>
      )}
    </div>
  );
}

/** The sheet of paper. The passcode is not on it: whoever finds it could open the link. */
function PrintedLink({
  link,
  hasPasscode,
  share,
  labels: { t, formats },
}: Pick<Props, 'link' | 'share' | 'labels'> & { hasPasscode: boolean }) {
  return (
    <article className="slip hl-print" aria-hidden="true">
      <p className="slip-cap">{t('slip_for')}</p>
      <h1 translate="no">{share.recipient_label}</h1>
      <div className="slip-top">
        <QrCode text={link.link} label={t('hl_qr')} />
        <div>
          <p className="slip-until">
            {t('slip_until')}
            <strong className="num">{formats.date(localDay(link.expires_at))}</strong>
          </p>
          <p>{t('hl_slip')}</p>
          {hasPasscode && <p>{t('hl_slip_passcode')}</p>}
          {link.is_one_time && <p>{t('hl_slip_once')}</p>}
        </div>
      </div>
      <p className="mono slip-link">{link.link}</p>
    </article>
  );
}
