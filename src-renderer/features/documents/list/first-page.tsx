import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The image of a document's first page; empty if the document is not read yet or has no image. */
export function FirstPage({ name, address }: { name: string; address: string }) {
  const { t } = useTranslation();
  const [missing, setMissing] = useState<string | null>(null);
  if (missing === address) return <span className="page-missing cap">{t('documents.preview_none')}</span>;
  return (
    <img loading="lazy" alt={t('documents.first_page', { name })} src={address} onError={() => setMissing(address)} />
  );
}
