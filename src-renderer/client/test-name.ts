import { useTranslation } from 'react-i18next';
import type { LabResult } from '../../src-shared/contract/labs.ts';

/** The name of a test in the language of the reader: of the knowledge base, of its entry, or as printed. */
export function useTestName(): (
  result: Pick<LabResult, 'test_names' | 'test_name_canonical' | 'test_name_original'>,
) => string {
  const { i18n } = useTranslation();
  return ({ test_names: names, test_name_canonical: canonical, test_name_original: printed }) =>
    names?.[i18n.language] ?? canonical ?? printed;
}
