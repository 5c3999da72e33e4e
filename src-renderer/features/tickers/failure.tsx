import { useTranslation } from 'react-i18next';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import { UDEV_FILE, UDEV_RULE } from '../../../src-shared/ticker/usb-names.ts';
import { copyText } from '../../client/copy-text.ts';
import { useToasts } from '../../client/toasts.tsx';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';

const NEEDS_BOOT = new Set<string>(['ticker.no_answer', 'ticker.not_in_loader']);
/** Browsers say only that a port did not open. */
const NEEDS_RULE = new Set<string>(['ticker.port_denied', 'ticker.port_busy']);

/** What failed, in words, with a drawing or a rule where that helps. */
export function Failure({ failure }: { failure: ErrorReference }) {
  const { t } = useTranslation('tickers');
  const vocabulary = useVocabulary();
  return (
    <div className="stack">
      <Notice tone={failure.code === 'ticker.cancelled' ? 'warn' : 'bad'}>{vocabulary.failure(failure)}</Notice>
      {NEEDS_BOOT.has(failure.code) && (
        <figure className="ticker-boot">
          <BoardDrawing label={t('boot_drawing')} />
          <figcaption className="cap">
            {t('boot_help')} {t('driver_help')}
          </figcaption>
        </figure>
      )}
      {NEEDS_RULE.has(failure.code) && navigator.userAgent.includes('Linux') && <Rule />}
    </div>
  );
}

function Rule() {
  const { t } = useTranslation('tickers');
  const { show } = useToasts();
  const copy = async (): Promise<void> => {
    if (await copyText(UDEV_RULE)) show({ text: () => t('rule_copied') });
  };
  return (
    <div className="stack">
      <span className="cap">{t('rule_help', { file: UDEV_FILE })}</span>
      <pre className="mono ticker-rule" tabIndex={0} aria-label={t('rule_copy')}>
        {UDEV_RULE}
      </pre>
      <span>
        <Button size="small" onClick={() => void copy()}>
          {t('rule_copy')}
        </Button>
      </span>
    </div>
  );
}

function BoardDrawing({ label }: { label: string }) {
  return (
    <svg viewBox="0 0 250 150" role="img" aria-label={label} className="ticker-drawing">
      <path d="M2 66h40M2 84h40" />
      <rect x="42" y="58" width="22" height="34" rx="5" />
      <rect x="58" y="20" width="180" height="110" rx="9" />
      <rect x="150" y="38" width="70" height="74" rx="3" />
      <rect x="78" y="92" width="22" height="22" rx="3" />
      <circle cx="89" cy="103" r="6" data-hot />
      <rect x="78" y="36" width="22" height="22" rx="3" />
      <circle cx="89" cy="47" r="6" />
      <text x="106" y="107">
        BOOT
      </text>
      <text x="106" y="51">
        RESET
      </text>
    </svg>
  );
}
