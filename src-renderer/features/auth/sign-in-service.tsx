import { useQuery } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addressOf, call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** The link to the sign-in service, if one is configured. A plain link, because the browser leaves this page. */
export function SignInService({ next }: { next: string | undefined }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: cacheKeys.oidc,
    queryFn: ({ signal }) => call(contract.oidc.enabled, {}, signal),
  });
  if (!data?.enabled) return null;
  return (
    <>
      <p className="gate-or">
        <span>{t('login.or')}</span>
      </p>
      <a className={buttonClass({ size: 'large' })} href={addressOf(contract.oidc.login, { query: { next } })}>
        <Icon glyph={LogIn} />
        {t('login.with', { service: new URL(data.provider_url).hostname })}
      </a>
    </>
  );
}
