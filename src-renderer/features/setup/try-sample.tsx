import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../client/api.ts';
import { SwitchFailed, useSample, waitForHousehold } from '../../client/sample.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/states.tsx';

/** Offers to look at a sample household before setting up one's own. */
export function TrySample() {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const isOffered = useSample()?.can_open ?? false;
  const attempt = useMutation({
    mutationFn: async () => {
      await call(contract.sample.open, {});
      const { open } = await waitForHousehold(true);
      if (open === null) return;
      await call(contract.auth.login, { body: { username: open.username, password: open.password } });
    },
    // The page starts anew, because everything that it knows is of the empty vault.
    onSuccess: () => location.assign('/'),
  });
  if (!isOffered) return null;
  return (
    <section className="setup-sample" aria-label={t('sample.try')}>
      {attempt.isError && (
        <Notice tone="bad">
          {attempt.error instanceof SwitchFailed ? t('sample.open_failed') : vocabulary.error(attempt.error)}
        </Notice>
      )}
      <p className="muted">{t('sample.try_text')}</p>
      <Button size="large" disabled={attempt.isPending || attempt.isSuccess} onClick={() => attempt.mutate()}>
        {attempt.isPending || attempt.isSuccess ? t('sample.opening') : t('sample.try')}
      </Button>
    </section>
  );
}
