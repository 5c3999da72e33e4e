import { ClipboardPaste } from 'lucide-react';
import { useEffect, useState, type FormEvent } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { Problem, useAction, useElapsed } from './action.tsx';
import { digitsOf, DIGITS } from './digits.ts';
import { door, type Seat } from './door.ts';
import { useTexts } from './texts.ts';

/** How long a code is valid, and when another one can be requested. */
const VALID_MS = 600_000;
const PAUSE_MS = 30_000;

const clock = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Takes the code: typed, pasted or filled in by the phone. */
export function CodeScreen({
  token,
  requestedAt,
  onAgain,
  onSeat,
}: {
  token: string;
  requestedAt: number;
  onAgain: () => Promise<void>;
  onSeat: (seat: Seat) => Promise<void>;
}) {
  const { t } = useTexts();
  const { isBusy, problem, run } = useAction();
  const [code, setCode] = useState('');
  const elapsed = useElapsed(requestedAt);
  const left = VALID_MS - elapsed;
  const pause = Math.ceil((PAUSE_MS - elapsed) / 1000);
  const open = (digits: string): Promise<void> =>
    run(async () => {
      try {
        await onSeat(await door.verify(token, digits));
      } catch (error) {
        setCode('');
        throw error;
      }
    });
  const type = (text: string): void => {
    const digits = digitsOf(text);
    setCode(digits);
    if (digits.length === DIGITS && digits !== code) void open(digits);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (code.length === DIGITS) void open(code);
  };
  return (
    <main className="rp-body">
      <h1>{t.code_title}</h1>
      <CodeHint token={token} />
      <form className="rp-form" onSubmit={submit}>
        <div className="rp-code">
          <input
            aria-label={t.code_label}
            autoComplete="one-time-code"
            inputMode="numeric"
            autoFocus
            value={code}
            onChange={(event) => type(event.target.value)}
          />
          <div className="rp-digits" aria-hidden="true">
            {Array.from({ length: DIGITS }, (_, index) => (
              <i key={index} data-on={index === code.length || undefined}>
                {code[index] ?? ''}
              </i>
            ))}
          </div>
        </div>
        <div className="rp-between">
          <p className="rp-quiet">{left > 0 ? t.code_valid(clock(left)) : t.code_over}</p>
          <PasteButton onPaste={type} />
        </div>
        {problem !== null && <Problem>{problem}</Problem>}
        <button type="submit" className="rp-button rp-primary" disabled={isBusy || code.length < DIGITS}>
          {isBusy ? t.opening : t.open}
        </button>
      </form>
      <button type="button" className="rp-button rp-bare" disabled={pause > 0} onClick={() => void run(onAgain)}>
        {pause > 0 ? t.code_again_in(pause) : t.code_again}
      </button>
    </main>
  );
}

/** Pastes a code that was copied from a message. Browsers offer the clipboard on secure pages only. */
function PasteButton({ onPaste }: { onPaste: (text: string) => void }) {
  const { t } = useTexts();
  const [hasFailed, setFailed] = useState(false);
  if (typeof navigator.clipboard?.readText !== 'function') return null;
  const paste = async (): Promise<void> => {
    const text = await navigator.clipboard.readText().catch(() => '');
    setFailed(digitsOf(text) === '');
    if (digitsOf(text) !== '') onPaste(text);
  };
  return (
    <>
      <button type="button" className="rp-button rp-small" onClick={() => void paste()}>
        <Icon glyph={ClipboardPaste} />
        {t.code_paste}
      </button>
      {hasFailed && <Problem>{t.code_paste_failed}</Problem>}
    </>
  );
}

function CodeHint({ token }: { token: string }) {
  const { t } = useTexts();
  const [isMail, setMail] = useState(false);
  useEffect(() => {
    door.info(token).then(
      ({ delivery }) => setMail(delivery === 'email'),
      () => undefined,
    );
  }, [token]);
  return <p>{isMail ? t.code_email : t.code_manual}</p>;
}
