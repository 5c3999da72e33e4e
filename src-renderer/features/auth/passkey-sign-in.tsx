import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../client/api.ts';
import { cacheKeys } from '../../client/cache-keys.ts';
import { PasskeyCancelled, passkeySupport, usePasskey } from '../../client/passkeys.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';

/** Signs in with a passkey, where somebody has one for this address. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const isSupported = passkeySupport() === 'supported';
  const { data } = useQuery({
    queryKey: cacheKeys.passkeyAvailable,
    queryFn: ({ signal }) => call(contract.passkeys.available, {}, signal),
    enabled: isSupported,
  });
  const signIn = useMutation({
    mutationFn: async () => {
      const answer = await usePasskey(await call(contract.passkeys.challenge, {}));
      await call(contract.passkeys.signIn, { body: answer });
    },
    onSuccess: onSignedIn,
  });
  if (!isSupported || !data?.available) return null;
  return (
    <>
      <Button size="large" glyph={KeyRound} disabled={signIn.isPending} onClick={() => signIn.mutate()}>
        {signIn.isPending ? t('login.passkey_waiting') : t('login.passkey')}
      </Button>
      {signIn.error && (
        <Notice tone="bad">
          {signIn.error instanceof PasskeyCancelled ? t('login.passkey_cancelled') : vocabulary.error(signIn.error)}
        </Notice>
      )}
    </>
  );
}
