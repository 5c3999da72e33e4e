import { createContext, lazy, Suspense, useContext, useState, type ReactNode } from 'react';
import { SkeletonLines } from '../../../ui/states.tsx';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';
import type { Target } from './target.ts';

const PreviewSheet = lazy(() => import('./preview-sheet.tsx'));
const Open = createContext<(target: Target, neighbors?: readonly Target[]) => void>(() => {});

/** Lets any view open a file at the side of the page. */
export function PreviewProvider({
  source,
  labels,
  children,
}: {
  source: BackupSource;
  labels: PhoneLabels;
  children: ReactNode;
}) {
  const [shown, setShown] = useState<{ target: Target; neighbors: readonly Target[] } | null>(null);
  return (
    <Open value={(target, neighbors = []) => setShown({ target, neighbors })}>
      {children}
      {shown && (
        <Suspense fallback={<SkeletonLines count={4} label={labels.t('loading')} />}>
          <PreviewSheet
            key={shown.target.fileId}
            target={shown.target}
            neighbors={shown.neighbors}
            source={source}
            labels={labels}
            onStep={(target) => setShown({ ...shown, target })}
            onClose={() => setShown(null)}
          />
        </Suspense>
      )}
    </Open>
  );
}

export const usePreview = (): ((target: Target, neighbors?: readonly Target[]) => void) => useContext(Open);

/** A button that opens a file at the side of the page. */
export function PreviewButton({
  target,
  className,
  children,
}: {
  target: Target;
  className?: string;
  children: ReactNode;
}) {
  const open = usePreview();
  return (
    <button type="button" className={className} onClick={() => open(target)}>
      {children}
    </button>
  );
}
