import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

interface AxeWindow {
  axe: { run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

/** Violations of WCAG 2.2 AA that axe finds on the page once its animations have ended, one line a rule. */
export async function findViolations(page: Page, { bestPractice = false } = {}): Promise<string[]> {
  // Axe would measure colors in the middle of a transition; those of the last action begin with a frame after it, and
  // frames of the tests' browser follow each other at once.
  await page.evaluate(async () => {
    await new Promise((passed) => setTimeout(passed, 34));
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    const animations = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(animations.map((animation) => animation.finished));
  });
  // Once a document: axe is half a megabyte to compile.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (rules) => (window as unknown as AxeWindow).axe.run({ runOnly: rules, resultTypes: ['violations'] }),
    bestPractice ? [...WCAG, 'best-practice'] : WCAG,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}
