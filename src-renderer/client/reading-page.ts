/** The page that is read of how many; null before the first one, so that nobody sees "page 0". */
export const readingPage = ({
  page_current: page,
  page_total: pages,
}: {
  page_current: number | null;
  page_total: number | null;
}): { page: number; pages: number } | null => (page !== null && page > 0 && pages ? { page, pages } : null);
