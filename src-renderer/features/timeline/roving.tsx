import { useState, type KeyboardEvent, type ReactNode } from 'react';

/**
 * Makes the marks of a row a single Tab stop (roving tabindex); arrow keys move between marks. Children are buttons
 * with `data-key`; they receive the key of the mark that was focused last.
 */
export function MarkRow({
  label,
  height,
  className,
  children,
}: {
  label: string;
  height: number;
  className?: string;
  children: (current: number | undefined) => ReactNode;
}) {
  const [current, setCurrent] = useState<number | undefined>(undefined);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[Math.min(buttons.length - 1, Math.max(0, next))]?.focus();
  };
  return (
    <div
      className={`tl-row ${className ?? ''}`}
      role="group"
      aria-label={label}
      style={{ height }}
      onKeyDown={onKeyDown}
      onFocus={(event) => setCurrent(Number((event.target as HTMLElement).dataset['key']))}
    >
      {children(current)}
    </div>
  );
}

/** The mark that Tab reaches: the one that was focused last, otherwise the first. */
export const tabStop = (keys: readonly number[], current: number | undefined): number | undefined =>
  current !== undefined && keys.includes(current) ? current : keys[0];
