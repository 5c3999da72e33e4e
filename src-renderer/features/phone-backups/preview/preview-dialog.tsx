import { createContext, lazy, Suspense, useContext, useState, type ReactNode } from 'react';
import { SkeletonLines } from '../../../ui/states.tsx';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';
import type { Target } from './target.ts';

const PreviewSheet = lazy(() => import('./preview-sheet.tsx'));
const Open = createContext<(target: Target, neighbours?: readonly Target[]) => void>(() => {});

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
  const [shown, setShown] = useState<{ target: Target; neighbours: readonly Target[] } | null>(null);
  return (
    <Open value={(target, neighbours = []) => setShown({ target, neighbours })}>
      {children}
      {shown && (
        <Suspense fallback={<SkeletonLines count={4} label={labels.t('loading')} />}>
          <PreviewSheet
            key={shown.target.fileId}
            target={shown.target}
            neighbours={shown.neighbours}
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

export const usePreview = (): ((target: Target, neighbours?: readonly Target[]) => void) => useContext(Open);

/** Opens a file when it is pressed. */
export function PreviewButton({
  target,
  className,
  children,
}: {
  target: Target;
  source: BackupSource;
  labels: PhoneLabels;
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
