import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';

const Announce = createContext<(text: string) => void>(() => {});

/** Provides the polite live region of the page. */
export function LiveRegion({ children }: { children: ReactNode }) {
  const [text, setText] = useState('');
  const announce = useCallback((next: string) => setText(next), []);
  return (
    <Announce value={announce}>
      {children}
      <div className="sr-only" role="status" aria-live="polite">
        {text}
      </div>
    </Announce>
  );
}

/** Returns a function that announces a sentence to screen readers. */
export const useAnnounce = (): ((text: string) => void) => useContext(Announce);
