import { useState, type ComponentProps } from 'react';
import { Input } from './field.tsx';
import { formatTimeForInput, parseTime } from './format/times.ts';

/**
 * An input for a time of day as the reader's locale writes it: the browser's own one follows the language of the
 * browser instead. `value` and `onChange` are times `HH:MM`, '' for a text that is not one.
 */
export function TimeInput({
  value,
  onChange,
  locale,
  ...rest
}: Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'type'> & {
  value: string;
  onChange: (time: string) => void;
  locale: string;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const isTyped = draft !== null && (parseTime(draft) ?? '') === value;
  return (
    <Input
      {...rest}
      autoComplete="off"
      value={isTyped ? draft : formatTimeForInput(value, locale)}
      onChange={(event) => {
        setDraft(event.target.value);
        onChange(parseTime(event.target.value) ?? '');
      }}
      onBlur={(event) => {
        if (parseTime(event.target.value) !== null) setDraft(null);
        rest.onBlur?.(event);
      }}
    />
  );
}
