import { createContext, lazy, Suspense, useContext, useState, type ReactNode } from 'react';
import { SkeletonLines } from '../../../ui/states.tsx';
import type { BackupSource } from '../source/source.ts';
import type { PhoneLabels } from '../labels.ts';
import type { Target } from './target.ts';

const PreviewSheet = lazy(() => import('./preview-sheet.tsx'));
const OpenContext = createContext<(target: Target, neighbors?: readonly Target[]) => void>(() => {});

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
  const [preview, setPreview] = useState<{ target: Target; neighbors: readonly Target[] } | null>(null);
  return (
    <OpenContext value={(target, neighbors = []) => setPreview({ target, neighbors })}>
      {children}
      {preview && (
        <Suspense fallback={<SkeletonLines count={4} label={labels.t('loading')} />}>
          <PreviewSheet
            key={preview.target.fileId}
            target={preview.target}
            neighbors={preview.neighbors}
            source={source}
            labels={labels}
            onStep={(target) => setPreview({ ...preview, target })}
            onClose={() => setPreview(null)}
          />
        </Suspense>
      )}
    </OpenContext>
  );
}

/** Returns a function that opens a file at the side; with the other files of its list, arrow keys move among them. */
export const usePreview = (): ((target: Target, neighbors?: readonly Target[]) => void) => useContext(OpenContext);

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
