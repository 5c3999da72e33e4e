import { useEffect, useRef, useState } from 'react';
import { Input } from '../../ui/field.tsx';

/** A pause in typing this long means that the words are meant. */
const PAUSE_MS = 250;

export interface Filter {
  value: string;
  onChange: (text: string) => void;
  label: string;
}

/** A field that narrows a list: what is typed counts after a pause, so that not every letter asks a hundred thousand rows. */
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
