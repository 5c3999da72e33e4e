import { useEffect, useRef, useState } from 'react';
import { Input } from '../../ui/field.tsx';

/** The filter applies after a pause of this length in typing. */
const PAUSE_MS = 250;

export interface Filter {
  value: string;
  onChange: (text: string) => void;
  label: string;
}

/** Filters a list after a pause in typing, so that not every keystroke queries a hundred thousand rows. */
export function FilterInput({ value, onChange, label }: Filter) {
  const [text, setText] = useState(value);
  const reportedValue = useRef(value);
  const report = useRef(onChange);
  report.current = onChange;
  useEffect(() => {
    // The value was changed by the address or another view.
    if (value !== reportedValue.current) {
      reportedValue.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => {
    if (text === reportedValue.current) return undefined;
    const timer = setTimeout(() => {
      reportedValue.current = text;
      report.current(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Input
      type="search"
      className="phone-filter"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
