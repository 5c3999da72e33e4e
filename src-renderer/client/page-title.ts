import { useEffect } from 'react';

/** What the page and, within it, the open item are called now. */
const shown = { page: '', item: '' };
const write = (): void => {
  document.title = [shown.item, shown.page, 'Hearth'].filter(Boolean).join(' · ');
};

/** Names the page in the title of the window. */
export function usePageTitle(page: string): void {
  useEffect(() => {
    shown.page = page;
    write();
  }, [page]);
}

/** Names the open item of the page, such as a document, before the page while the caller is mounted. */
export function useItemTitle(item: string | undefined): void {
  useEffect(() => {
    shown.item = item ?? '';
    write();
    return () => {
      shown.item = '';
      write();
    };
  }, [item]);
}
