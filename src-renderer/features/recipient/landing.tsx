import { Lock, ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { Problem, ScreenHeading, useAction } from './action.tsx';
import { door } from './door.ts';
import { useTexts } from './texts.ts';

/** The first screen; it names nobody, and is the same for every link. */
export function LandingScreen({
  token,
  isPlaceOver,
  onRequest,
}: {
  token: string;
  isPlaceOver: boolean;
  onRequest: () => Promise<void>;
}) {
  const { t } = useTexts();
  const { isBusy, problem, run } = useAction();
  const [delivery, setDelivery] = useState<'manual' | 'email'>('manual');
  useEffect(() => {
    door.info(token).then(
      (info) => setDelivery(info.delivery),
      () => undefined,
    );
  }, [token]);
  const steps =
    delivery === 'email' ? [t.landing_mail, t.landing_mail_enter] : [t.landing_call, t.landing_ask, t.landing_enter];
  return (
    <main className="rp-body">
      <ScreenHeading>{t.landing_title}</ScreenHeading>
      <p>{t.landing_text}</p>
      {isPlaceOver && <Problem>{t.place_over}</Problem>}
      <ol className="rp-steps">
        {steps.map((step, index) => (
          <li key={step}>
            <b aria-hidden="true">{index + 1}</b>
            <span>{step}</span>
          </li>
        ))}
      </ol>
      <div className="rp-foot">
        {problem !== null && <Problem>{problem}</Problem>}
        <button type="button" className="rp-button rp-primary" disabled={isBusy} onClick={() => void run(onRequest)}>
          {t.request}
        </button>
        <p className="rp-note">
          <Icon glyph={ShieldCheck} />
          <span>{t.landing_privacy}</span>
        </p>
      </div>
    </main>
  );
}

/** The end of a session. */
export function EndedScreen({ isOwnWish, onRequest }: { isOwnWish: boolean; onRequest: () => Promise<void> }) {
  const { t } = useTexts();
  const { isBusy, problem, run } = useAction();
  return (
    <main className="rp-body rp-ended">
      <span className="rp-lock">
        <Icon glyph={Lock} size={24} />
      </span>
      <ScreenHeading>{t.ended_title}</ScreenHeading>
      <p>{t.ended_text}</p>
      <p className="rp-again">{t.ended_again}</p>
      <div className="rp-foot">
        {problem !== null && <Problem>{problem}</Problem>}
        <button type="button" className="rp-button" disabled={isBusy} onClick={() => void run(onRequest)}>
          {t.request}
        </button>
        {isOwnWish && <p className="rp-quiet rp-middle">{t.thanks}</p>}
      </div>
    </main>
  );
}
