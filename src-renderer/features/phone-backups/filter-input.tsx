import { useEffect, useRef, useState } from 'react';
import { Input } from '../../ui/field.tsx';

/** The filter applies after a pause in typing this long. */
const PAUSE_MS = 250;

export interface Filter {
  value: string;
  onChange: (text: string) => void;
  label: string;
}

/** Filters a list after a pause in typing, so that not every keystroke queries a hundred thousand rows. */
export function FilterInput({ value, onChange, label }: Filter) {
  const [text, setText] = useState(value);
  const reported = useRef(value),
    tell = useRef(onChange);
  tell.current = onChange;
  useEffect(() => {
    // Changed from elsewhere: by the address, or by another view.
    if (value !== reported.current) {
      reported.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => {
    if (text === reported.current) return undefined;
    const timer = setTimeout(() => {
      reported.current = text;
      tell.current(text);
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
