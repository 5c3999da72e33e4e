import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/**
 * The image of a document's first page, in a box of the height of a usual page: the stored preview, and `sharp` over it
 * when that has loaded. Empty if the document is not read yet or has no image.
 */
export function FirstPage({ name, stored, sharp }: { name: string; stored: string; sharp?: string }) {
  const { t } = useTranslation();
  const [failed, setFailed] = useState<ReadonlySet<string>>(new Set());
  const sources = [stored, sharp].filter((source) => source !== undefined);
  const fail = (source: string): void => setFailed((before) => new Set(before).add(source));
  if (sources.every((source) => failed.has(source)))
    return <span className="page-missing cap">{t('documents.preview_none')}</span>;
  return (
    <span className="first-page">
      {sources
        .filter((source) => !failed.has(source))
        .map((source, index) => (
          <img
            key={source}
            loading="lazy"
            alt={index === 0 ? t('documents.first_page', { name }) : ''}
            src={source}
            onError={() => fail(source)}
          />
        ))}
    </span>
  );
}
