import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2, Unlink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../../client/api.ts';
import { cacheKeys } from '../../../client/cache-keys.ts';
import { Button } from '../../../ui/button.tsx';
import { useToasts } from '../../../client/toasts.tsx';

/** Connects this account with the sign-in service, if one is configured. */
export function ServiceRow({ me }: { me: { has_oidc: boolean } }) {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const { showError } = useToasts();
  const { data } = useQuery({
    queryKey: cacheKeys.oidc,
    queryFn: ({ signal }) => call(contract.oidc.enabled, {}, signal),
  });
  // The browser leaves this page and returns with the account connected.
  const connect = useMutation({
    mutationFn: () => call(contract.oidc.link, {}),
    onSuccess: ({ location: there }) => location.assign(there),
    onError: showError,
  });
  const disconnect = useMutation({
    mutationFn: () => call(contract.oidc.unlink, {}),
    onSuccess: () => void client.invalidateQueries({ queryKey: cacheKeys.me }),
    onError: showError,
  });
  if (!data?.enabled) return null;
  const service = new URL(data.provider_url).hostname;
  return (
    <div className="panel-body row settings-tail">
      <span>{me.has_oidc ? t('connected', { service }) : t('not_connected', { service })}</span>
      {me.has_oidc ? (
        <Button
          className="push"
          size="small"
          glyph={Unlink}
          disabled={disconnect.isPending}
          onClick={() => disconnect.mutate()}
        >
          {t('disconnect')}
        </Button>
      ) : (
        <Button
          className="push"
          size="small"
          glyph={Link2}
          disabled={connect.isPending}
          onClick={() => connect.mutate()}
        >
          {t('connect')}
        </Button>
      )}
    </div>
  );
}
