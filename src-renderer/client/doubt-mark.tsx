import { useTranslation } from 'react-i18next';
import type { LabDoubt } from '../../src-shared/contract/lab-doubt.ts';
import { Tag } from '../ui/chip.tsx';

/** The reasons to doubt a result as one text, for a tooltip and for screen readers. */
export function useDoubtText(): (doubt: readonly LabDoubt[]) => string {
  const { t } = useTranslation('doubt');
  return (doubt) => doubt.map((code) => t(code)).join(' ');
}

/** Marks a result that may have been read wrongly, with the reasons; nothing for a sure one. */
export function DoubtMark({ doubt }: { doubt: readonly LabDoubt[] }) {
  const { t } = useTranslation('doubt');
  const textOf = useDoubtText();
  if (doubt.length === 0) return null;
  const text = textOf(doubt);
  return (
    <>
      {' '}
      <Tag tone="warn" title={text}>
        {t('mark')}
        <span className="sr-only">: {text}</span>
      </Tag>
    </>
  );
}
