import { useEffect, useRef } from 'react';

/** Reports the first and last rendered line of a virtual list, so that the pages with these rows are fetched. */
export function useRenderedRange(
  rendered: readonly { index: number }[],
  onRange: (first: number, last: number) => void,
): void {
  const first = rendered[0]?.index ?? 0,
    last = rendered.at(-1)?.index ?? 0;
  const report = useRef(onRange);
  report.current = onRange;
  useEffect(() => {
    report.current(first, last);
  }, [first, last]);
}
