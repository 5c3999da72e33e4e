import type { Page } from 'playwright-core';

/** What can be operated. */
export const CONTROLS =
  'a[href], button:not(:disabled), input:not([type=hidden]):not(:disabled), select:not(:disabled), ' +
  'textarea:not(:disabled), summary, [role=button], [role=tab], [role=option], [role=menuitem], [role=slider]';
/** The size of targets for fingers, in CSS pixels (WCAG 2.5.5). */
const TARGET = 44;
/** Marks of the timeline, for which the table below has equal links of that size (WCAG 2.5.5, equivalent). */
const WITH_EQUIVALENT = '.tl-cell, .tl-event';

/**
 * Controls of the page that a finger may miss: smaller than 44 by 44 pixels, with their size. A label counts with its
 * control, and so does what else of the page activates it. Links within a sentence are exempt (WCAG 2.5.5, inline), as
 * is what only a keyboard reaches.
 */
export const findSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([controls, size, withEquivalent]) => {
      const isInline = (element: Element): boolean =>
        getComputedStyle(element).display === 'inline' &&
        [...(element.parentElement?.childNodes ?? [])].some(
          (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim().length > 1,
        );
      const isShown = (element: Element): boolean => {
        const { width, height } = element.getBoundingClientRect();
        return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      };
      const labelOf = (element: Element): Element | null =>
        element instanceof HTMLInputElement || element instanceof HTMLSelectElement
          ? ([...(element.labels ?? [])].find(isShown) ?? null)
          : null;
      /** Whether a tap at this distance from the middle of the control activates it. */
      const reaches = (element: HTMLElement, dx: number, dy: number): boolean => {
        const box = element.getBoundingClientRect();
        const at = document.elementFromPoint(box.x + box.width / 2 + dx, box.y + box.height / 2 + dy);
        return at !== null && (element.contains(at) || labelOf(element)?.contains(at) === true);
      };
      const small: string[] = [];
      for (const element of document.querySelectorAll<HTMLElement>(controls)) {
        const target = isShown(element) ? element : labelOf(element);
        if (!target || target.matches(withEquivalent) || isInline(element)) continue;
        if (target.closest('[aria-hidden=true], [inert], .skip')) continue;
        target.scrollIntoView({ block: 'center', inline: 'center' });
        const own = target.getBoundingClientRect();
        const label = labelOf(element)?.getBoundingClientRect();
        const width = Math.max(own.width, label?.width ?? 0);
        const height = Math.max(own.height, label?.height ?? 0);
        const reach = size / 2 - 1;
        const isWide = width >= size - 0.5 || (reaches(element, -reach, 0) && reaches(element, reach, 0));
        const isHigh = height >= size - 0.5 || (reaches(element, 0, -reach) && reaches(element, 0, reach));
        if (isWide && isHigh) continue;
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
        small.push(
          `${Math.round(width)}×${Math.round(height)} ${element.tagName} .${element.className}: ${name.slice(0, 40)}`,
        );
      }
      return [...new Set(small)];
    },
    [CONTROLS, TARGET, WITH_EQUIVALENT] as const,
  );

/** Controls that are out of reach: beyond the edge of the window, with nothing to scroll; and whether the page scrolls sideways. */
export const findOutOfReach = (page: Page): Promise<string[]> =>
  page.evaluate((controls) => {
    const scrolls = (element: Element): boolean => {
      for (let at: Element | null = element.parentElement; at; at = at.parentElement)
        if (
          /auto|scroll/.test(getComputedStyle(at).overflowX) &&
          at.scrollWidth > at.clientWidth &&
          at.id !== 'content'
        )
          return true;
      return false;
    };
    const beyond = [...document.querySelectorAll<HTMLElement>(controls)].filter((element) => {
      const { left, right, width, height } = element.getBoundingClientRect();
      const isShown = width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
      return isShown && !element.closest('.skip, .rail') && (left < -1 || right > innerWidth + 1) && !scrolls(element);
    });
    const wide = ['html', '#content']
      .map((selector) => document.querySelector(selector))
      .filter((one) => one !== null && one.scrollWidth > one.clientWidth)
      .map((one) => `${one?.tagName} scrolls sideways`);
    return [
      ...wide,
      ...beyond.map((element) => `${element.tagName} .${element.className}: ${element.textContent?.slice(0, 40)}`),
    ];
  }, CONTROLS);

/** Tab lists in which not exactly one tab is selected, or a tab does not say whether it is. */
export const findTabsWithoutState = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=tablist]')]
      .filter((list) => {
        const states = [...list.querySelectorAll('[role=tab]')].map((tab) => tab.getAttribute('aria-selected'));
        return states.some((state) => state === null) || states.filter((state) => state === 'true').length !== 1;
      })
      .map((list) => list.getAttribute('aria-label') ?? ''),
  );

interface Stops extends Window {
  tabStops: { element: HTMLElement; isReached: boolean }[];
}

/**
 * Presses Tab from the start of the page until every control was reached, as a person does who uses no mouse.
 * @returns controls that are never reached, and those on which the focus cannot be seen
 */
export async function walkByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate((controls) => {
    // The next Tab starts at the top of the page.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
    const isStop = (element: HTMLElement): boolean => {
      const { width, height } = element.getBoundingClientRect();
      const isRadio = element instanceof HTMLInputElement && element.type === 'radio' && !element.checked;
      return element.tabIndex >= 0 && !isRadio && width > 0 && height > 0 && !element.closest('[inert]');
    };
    const elements = [...document.querySelectorAll<HTMLElement>(`${controls}, [tabindex]`)].filter(
      (element) => isStop(element) && element.checkVisibility({ visibilityProperty: true }),
    );
    (window as unknown as Stops).tabStops = elements.map((element) => ({ element, isReached: false }));
    return elements.length;
  }, CONTROLS);
  const faults = new Set<string>();
  for (let press = 0; press < count + 20; press += 1) {
    await page.keyboard.press('Tab');
    const { unseen, isDone } = await page.evaluate(async () => {
      await new Promise(requestAnimationFrame);
      const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
      await Promise.allSettled(changes.map(({ finished }) => finished));
      const stops = (window as unknown as Stops).tabStops;
      const active = document.activeElement as HTMLElement;
      for (const stop of stops) if (stop.element === active || !stop.element.isConnected) stop.isReached = true;
      const hasRing = (element: Element, pseudo?: string): boolean => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element, pseudo);
        return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      };
      const around = [active, active.parentElement, active.parentElement?.parentElement].filter((one) => one != null);
      const { bottom, top } = active.getBoundingClientRect();
      const isSeen = around.some((one) => hasRing(one) || hasRing(one, '::after')) && bottom > 0 && top < innerHeight;
      // Between the last and the first control, the focus is outside of the page.
      const isOnPage = active.matches(':focus') && active !== document.body;
      return {
        unseen: isOnPage && !isSeen ? `not seen: ${active.outerHTML.slice(0, 120)}` : null,
        isDone: stops.every((stop) => stop.isReached),
      };
    });
    if (unseen !== null) faults.add(unseen);
    if (isDone) break;
  }
  const missed = await page.evaluate(() =>
    (window as unknown as Stops).tabStops
      .filter(({ isReached }) => !isReached)
      .map(({ element }) => `never reached: ${element.outerHTML.slice(0, 120)}`),
  );
  return [...faults, ...missed];
}
