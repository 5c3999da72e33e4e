import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segments } from '../../../ui/field.tsx';

type Side = 'english' | 'original';

/** A text in English or in its original language, with a switch if both exist. Renders nothing without a text. */
export function TwoLanguages({
  label,
  english,
  original,
  first,
  children,
}: {
  label: string;
  english: string | null;
  original: string | null;
  first: Side;
  children: (text: string) => ReactNode;
}) {
  const { t } = useTranslation('document');
  const [side, setSide] = useState<Side>(first);
  const both = Boolean(english) && Boolean(original) && english !== original;
  const selectedText = side === 'english' ? english : original;
  const text = both ? selectedText : english || original;
  if (!text) return null;
  return (
    <>
      {both && (
        <Segments
          label={label}
          value={side}
          onChange={setSide}
          options={[
            { value: 'original', label: t('original') },
            { value: 'english', label: t('english') },
          ]}
        />
      )}
      {children(text)}
    </>
  );
}
