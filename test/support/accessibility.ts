import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

type Violations = { id: string; nodes: { html: string }[] }[];
interface TestWindow {
  axe: { run(options: unknown): Promise<{ violations: Violations }> };
  /** Transitions and animations that began since the page was loaded. */
  movements?: number;
}

/**
 * Violations of WCAG 2.2 AA that axe finds on the page once its animations have ended, one line a rule. They are looked
 * for again if something began to move meanwhile, such as rows that arrive: axe measures colors in the middle of it.
 */
export async function findViolations(page: Page, { bestPractice = false } = {}): Promise<string[]> {
  await page.evaluate(() => {
    const window = globalThis as unknown as TestWindow;
    if (window.movements !== undefined) return;
    window.movements = 0;
    for (const event of ['transitionrun', 'animationstart'])
      document.addEventListener(event, () => (window.movements = (window.movements ?? 0) + 1), true);
  });
  // Once a document: axe is half a megabyte to compile.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  for (;;) {
    const before = await waitUntilStill(page);
    const { violations, movements } = await page.evaluate(
      async (rules) => {
        const window = globalThis as unknown as TestWindow;
        const { violations } = await window.axe.run({ runOnly: rules, resultTypes: ['violations'] });
        return { violations, movements: window.movements };
      },
      bestPractice ? [...WCAG, 'best-practice'] : WCAG,
    );
    if (violations.length === 0 || movements === before)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  }
}

/**
 * Waits for animations, and returns how many had begun until then. Transitions of the last action begin with a frame
 * after it, and frames of the tests' browser follow each other at once.
 */
const waitUntilStill = (page: Page): Promise<number | undefined> =>
  page.evaluate(async () => {
    await new Promise((passed) => setTimeout(passed, 34));
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    const { movements } = globalThis as unknown as TestWindow;
    const animations = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(animations.map((animation) => animation.finished));
    return movements;
  });
