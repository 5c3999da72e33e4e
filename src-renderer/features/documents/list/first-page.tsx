import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The picture of a document's first page; what is not read yet, or cannot be drawn, has none. */
export function FirstPage({ name, address }: { name: string; address: string }) {
  const { t } = useTranslation();
  const [missing, setMissing] = useState<string | null>(null);
  if (missing === address) return <span className="page-missing cap">{t('documents.preview_none')}</span>;
  return (
    <img loading="lazy" alt={t('documents.first_page', { name })} src={address} onError={() => setMissing(address)} />
  );
}
