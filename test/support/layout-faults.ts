import type { Page } from 'playwright-core';
import { CONTROLS } from './touch-and-keys.ts';

/** Words that a person must read whole: what a control does, and what a part of the page is about. */
const WORDS = 'h1, h2, h3, button, .button, [role=tab], [role=menuitem], legend, label, th';

/** Headings and controls whose words are cut at an edge, also with an ellipsis. */
export const findCutWords = (page: Page): Promise<string[]> =>
  page.evaluate((selector) => {
    const isShown = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    /** How far the words go beyond the nearest edge that cuts them; what scrolls can be read by scrolling. */
    const cutBy = (node: Text): number => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      let cut = 0;
      for (let at = node.parentElement; at && at !== document.body; at = at.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(at);
        const edge = at.getBoundingClientRect();
        if (/auto|scroll/.test(overflowX + overflowY) || position === 'fixed') break;
        if (/hidden|clip/.test(overflowX)) cut = Math.max(cut, right - edge.right, edge.left - left);
        // Letters reach over the line box of 1.25, not their shapes.
        if (/hidden|clip/.test(overflowY)) cut = Math.max(cut, bottom - edge.bottom - 3, edge.top - top - 3);
      }
      return cut;
    };
    const cut: string[] = [];
    for (const element of document.querySelectorAll(selector)) {
      if (!isShown(element) || element.closest('[aria-hidden=true], [inert], .skip, .sr-only')) continue;
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
        const parent = node.parentElement;
        // Captions beside a name may be shortened: what is opened has them whole.
        if (!parent || node.data.trim() === '' || !isShown(parent) || parent.closest('.cap')) continue;
        if (cutBy(node) > 1)
          cut.push(`cut: ${element.tagName} .${element.className}: ${node.data.trim().slice(0, 60)}`);
      }
    }
    return [...new Set(cut)];
  }, WORDS);

/** Controls that something else covers where a pointer aims: in their middle, when they are scrolled into view. */
export const findCovered = (page: Page): Promise<string[]> =>
  page.evaluate((controls) => {
    const covered: string[] = [];
    const labels = (element: Element): Element[] =>
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? [...(element.labels ?? [])] : [];
    for (const element of document.querySelectorAll<HTMLElement>(controls)) {
      const { width, height } = element.getBoundingClientRect();
      if (width <= 1 || height <= 1 || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        continue;
      if (element.closest('[aria-hidden=true], [inert], .skip')) continue;
      element.scrollIntoView({ block: 'center', inline: 'center' });
      const [box] = element.getClientRects();
      if (!box) continue;
      const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const own = [element, ...labels(element)];
      if (at !== null && own.some((one) => one.contains(at))) continue;
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
      const by = at === null ? 'the edge of the window' : `${at.tagName} .${at.getAttribute('class') ?? ''}`;
      covered.push(`covered: ${element.tagName} .${element.className}: ${name.slice(0, 40)} by ${by}`);
    }
    return [...new Set(covered)];
  }, CONTROLS);
