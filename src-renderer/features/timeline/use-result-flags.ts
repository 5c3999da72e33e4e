import { useTranslation } from 'react-i18next';

/** Says how many results are out of range and how many may have been read wrongly; empty if none. */
export function useResultFlags(): (counts: { abnormal: number; uncertain: number }) => string[] {
  const { t } = useTranslation('timeline');
  return ({ abnormal, uncertain }) => [
    ...(abnormal > 0 ? [t('abnormal_count', { count: abnormal })] : []),
    ...(uncertain > 0 ? [t('uncertain_count', { count: uncertain })] : []),
  ];
}
