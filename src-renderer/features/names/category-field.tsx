import { useTranslation } from 'react-i18next';
import type { Messages } from '../../locales/en.ts';
import { Select, type FieldControl } from '../../ui/field.tsx';

type Category = keyof Messages['labs']['category'];

/** The text of a category of tests in the language of the reader; one of the household's own as it is. */
export function useCategoryText(): (category: string) => string {
  const { t, i18n } = useTranslation('labs');
  return (category) => (i18n.exists(`labs:category.${category}`) ? t(`category.${category as Category}`) : category);
}

/** Selects the category of a test. */
export function CategoryField({
  control,
  value,
  onChange,
}: {
  control: FieldControl;
  value: string;
  onChange: (category: string) => void;
}) {
  const { t, i18n } = useTranslation('labs');
  const textOf = useCategoryText();
  const known = Object.keys(t('category', { returnObjects: true }));
  const options = [...new Set([value, ...known])]
    .map((category) => ({ value: category, label: category === '' ? t('other') : textOf(category) }))
    .sort((a, b) => a.label.localeCompare(b.label, i18n.language));
  return <Select {...control} value={value} options={options} onChange={(event) => onChange(event.target.value)} />;
}
