import { CircleAlert, RotateCw, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** A placeholder for a line of text that is loading. */
export const Skeleton = ({ width = '100%', height = 12 }: { width?: number | string; height?: number | string }) => (
  <span className="skeleton" style={{ width, height }} />
);

/** Placeholders for a list that is loading; `label` is announced. */
export function SkeletonLines({ count, label }: { count: number; label: string }) {
  return (
    <div className="lines" role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: count }, (_, line) => (
        <div key={line}>
          <Skeleton width={`${72 - ((line * 17) % 40)}%`} />
        </div>
      ))}
    </div>
  );
}

interface EmptyStateProps {
  title: string;
  /** There is nothing else on the page, whose heading the title is. */
  isPage?: boolean;
  children?: ReactNode;
  actions?: ReactNode;
}

/** An empty state: what will appear here, and how to add it. */
export function EmptyState({ title, isPage = false, children, actions }: EmptyStateProps) {
  return (
    <div className="empty">
      {isPage ? <h1>{title}</h1> : <strong>{title}</strong>}
      {children && <span>{children}</span>}
      {actions && <div className="row">{actions}</div>}
    </div>
  );
}

/** An error in place of content, with Retry. */
export function ErrorState({
  message,
  retryLabel,
  onRetry,
}: {
  message: string;
  retryLabel?: string;
  onRetry?: () => void;
}) {
  return (
    <div className="error-state" role="alert">
      <Icon glyph={CircleAlert} />
      <span>{message}</span>
      {onRetry && (
        <Button size="small" glyph={RotateCw} onClick={onRetry}>
          {retryLabel}
        </Button>
      )}
    </div>
  );
}

/** A tinted message inside a form or panel. */
export function Notice({
  tone,
  glyph = CircleAlert,
  children,
}: {
  tone: 'warn' | 'bad' | 'ok';
  glyph?: LucideIcon;
  children: ReactNode;
}) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon glyph={glyph} />
      <span>{children}</span>
    </div>
  );
}
