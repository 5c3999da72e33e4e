import type { AnyRouter } from '@tanstack/react-router';

/** How long a dialog that closes with the page before takes to return the focus to where it was opened, in ms. */
const SETTLE_MS = 100;

/** The place of the page; before the frame is there, the only main landmark. */
const placeOfPage = (): HTMLElement | null =>
  document.getElementById('content') ?? document.querySelector<HTMLElement>('main');

/** The heading of what an address opens: within a part that is marked as the start, or else the first one. */
function headingOf(place: HTMLElement): HTMLElement | undefined {
  const start = place.querySelector('[data-page-start]');
  const headings = (start ?? place).querySelectorAll<HTMLElement>(start ? 'h1, h2' : 'h1');
  return [...headings].find((heading) => heading.checkVisibility());
}

function focusElement(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/**
 * Moves the focus to the heading of each page that is opened from another one, so that a keyboard continues there and
 * screen readers say it. A page that itself chose a field keeps the focus there, and so does an open dialog.
 */
export function focusNewPages(router: AnyRouter): void {
  let before: Element | null = null;
  let page: string | undefined;
  let stop = (): void => {};
  router.subscribe('onBeforeNavigate', () => {
    before = document.activeElement;
  });
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    const opened = router.state.matches.at(-1)?.routeId;
    const isSamePage = opened === page;
    page = opened;
    if (!fromLocation || !pathChanged) return;
    stop();
    stop = followHeading(before, isSamePage);
  });
}

/**
 * Focuses the heading, also if it is drawn only with the data of the page; until then, the place of the page. Ends when
 * the user does something.
 * @param before what had the focus when the page was asked for
 * @param isSamePage another item in the same page, whose controls keep the focus
 */
function followHeading(before: Element | null, isSamePage: boolean): () => void {
  let placed: Element | null = null;
  const isFree = (active: Element | null): boolean =>
    active === null || active === document.body || active === placeOfPage() || active === placed;
  const isElsewhere = (active: Element | null): boolean =>
    active?.closest('[role="dialog"], [role="menu"]') === null &&
    (active === before || placeOfPage()?.contains(active) !== true);
  const move = (mayTake: boolean): void => {
    const active = document.activeElement;
    if (!isFree(active) && !(mayTake && isElsewhere(active))) return;
    const place = placeOfPage();
    const target = place && (headingOf(place) ?? place);
    if (!target || target === active) return;
    placed = target;
    focusElement(target);
  };
  const ended = new AbortController();
  const whileOpen = { signal: ended.signal, capture: true };
  const observer = new MutationObserver(() => move(false));
  const end = (): void => {
    ended.abort();
    observer.disconnect();
  };
  const settling = new AbortController();
  const timer = setTimeout(() => settling.abort(), SETTLE_MS);
  ended.signal.addEventListener('abort', () => {
    clearTimeout(timer);
    settling.abort();
  });
  document.addEventListener('focusin', () => move(!isSamePage), { signal: settling.signal });
  document.addEventListener('keydown', end, whileOpen);
  document.addEventListener('pointerdown', end, whileOpen);
  observer.observe(document.body, { childList: true, subtree: true });
  move(!isSamePage);
  return end;
}
