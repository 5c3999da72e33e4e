import { useState, type ComponentProps } from 'react';
import { dateAsTyped, readDateText } from './date-text.ts';
import { Input } from './field.tsx';

/**
 * A date in the reader's own format; `value` and `onChange` are civil dates (`YYYY-MM-DD`, '' for none). `onInvalid`
 * receives whether the text is an invalid date.
 */
export function DateInput({
  value,
  onChange,
  onInvalid,
  locale,
  ...rest
}: Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'type' | 'onInvalid'> & {
  value: string;
  onChange: (civil: string) => void;
  onInvalid?: (invalid: boolean) => void;
  locale: string;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const settle = (text: string) => {
    const civil = readDateText(text, locale);
    onInvalid?.(civil === null);
    if (civil === null) return;
    setDraft(null);
    if (civil !== value) onChange(civil);
  };
  return (
    <Input
      {...rest}
      inputMode="text"
      autoComplete="off"
      placeholder={rest.placeholder ?? dateAsTyped('2026-12-31', locale)}
      value={draft ?? dateAsTyped(value, locale)}
      onChange={(event) => {
        setDraft(event.target.value);
        const civil = readDateText(event.target.value, locale);
        if (civil !== null && civil !== value) {
          onInvalid?.(false);
          onChange(civil);
        }
      }}
      onBlur={(event) => {
        settle(event.target.value);
        rest.onBlur?.(event);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle(event.currentTarget.value);
        rest.onKeyDown?.(event);
      }}
    />
  );
}
