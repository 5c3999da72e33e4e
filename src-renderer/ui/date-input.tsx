import { useState, type ComponentProps } from 'react';
import { formatDateForInput, parseDate } from './format/dates.ts';
import { Input } from './field.tsx';

/**
 * A date input in the user's own format; `value` and `onChange` are civil dates (`YYYY-MM-DD`, '' for none).
 * With `latest`, years of two digits are the last ones that are not after it, as in birth dates. `onInvalid` receives
 * whether the text is an invalid date.
 */
export function DateInput({
  value,
  onChange,
  onInvalid,
  locale,
  latest,
  ...rest
}: Omit<ComponentProps<typeof Input>, 'value' | 'onChange' | 'type' | 'onInvalid'> & {
  value: string;
  onChange: (civil: string) => void;
  onInvalid?: (invalid: boolean) => void;
  locale: string;
  latest?: string;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const commit = (text: string) => {
    const civil = parseDate(text, locale, latest);
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
      placeholder={rest.placeholder ?? formatDateForInput('2026-12-31', locale)}
      value={draft ?? formatDateForInput(value, locale)}
      onChange={(event) => {
        setDraft(event.target.value);
        const civil = parseDate(event.target.value, locale, latest);
        if (civil !== null && civil !== value) {
          onInvalid?.(false);
          onChange(civil);
        }
      }}
      onBlur={(event) => {
        commit(event.target.value);
        rest.onBlur?.(event);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(event.currentTarget.value);
        rest.onKeyDown?.(event);
      }}
    />
  );
}
