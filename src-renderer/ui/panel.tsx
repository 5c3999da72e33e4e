import { useId, type ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A titled region of the page with a heading; `aside` appears to the right of the heading. */
export function Panel({
  title,
  aside,
  actions,
  className,
  children,
}: {
  title: string;
  aside?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={classNames('panel', className)} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <span className="cap num">{aside}</span>}
        {actions}
      </header>
      {children}
    </section>
  );
}
