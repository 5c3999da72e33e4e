import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, contract } from '../../client/api.ts';
import { useSample } from '../../client/sample.ts';
import { useVocabulary } from '../../client/vocabulary.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/states.tsx';

/** Says on every page that the household is a sample, and leads to the own one. */
export function SampleBanner() {
  const { t } = useTranslation();
  const [isAsking, setIsAsking] = useState(false);
  const isOpen = Boolean(useSample()?.open);
  if (!isOpen) return null;
  return (
    <section className="sample-banner" aria-label={t('sample.banner')}>
      <Icon glyph={FlaskConical} />
      <span>{t('sample.banner')}</span>
      <Button size="small" onClick={() => setIsAsking(true)}>
        {t('sample.leave')}
      </Button>
      {isAsking && <LeaveDialog onClose={() => setIsAsking(false)} />}
    </section>
  );
}

function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const vocabulary = useVocabulary();
  const leave = useLeaveSample();
  return (
    <Dialog open onOpenChange={onClose} title={t('sample.leave_title')}>
      <div className="stack">
        {leave.isError && <Notice tone="bad">{vocabulary.error(leave.error)}</Notice>}
        <p>{t('sample.leave_text')}</p>
        <div className="row">
          <Button variant="primary" disabled={leave.isPending} onClick={() => leave.mutate()}>
            {t('sample.leave_do')}
          </Button>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Closes the sample household and waits on a page that needs no session. */
function useLeaveSample() {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async () => {
      // Nobody answers while the core restarts, so the page is loaded before.
      await router.preloadRoute({ to: '/leave-sample' });
      await call(contract.sample.close, {});
    },
    onSuccess: async () => {
      client.clear();
      await router.navigate({ to: '/leave-sample', search: {} });
    },
  });
}
