import { CircleAlert, RotateCw, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** A grey bar in the place of a line of text that is on its way. */
export const Skeleton = ({ width = '100%', height = 12 }: { width?: number | string; height?: number | string }) => (
  <span className="skeleton" style={{ width, height }} />
);

/** Lines in the place of a list that is on its way; `label` is read aloud. */
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

/** What a place will hold, and how to fill it. */
export function EmptyState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children && <span>{children}</span>}
      {actions && <div className="row">{actions}</div>}
    </div>
  );
}

/** What went wrong and what to do, in place, with a way to try again. */
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

/** A sentence on a tint inside a form or panel. */
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
