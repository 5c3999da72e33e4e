import type { FoundLabResult } from '../extraction.ts';
import type { LayoutPage } from '../layout/layout.ts';
import { withoutBullets } from './lab-bullets.ts';
import { joinBrokenNumbers } from './lab-broken-numbers.ts';
import { addDoubtsOfNames } from './lab-doubt-names.ts';
import { addDoubtsOfLimits } from './lab-doubt-limits.ts';
import { addDoubtsOfCutNames, addDoubtsOfLostRanges } from './lab-doubt.ts';
import { raiseGroups } from './lab-group-column.ts';
import { joinLimits } from './lab-limits.ts';
import { withoutMarginColumn } from './lab-margin.ts';
import { joinBrokenResults } from './lab-prose.ts';
import { addDoubtsOfCategories, chooseWantedRanges } from './lab-range-categories.ts';
import { joinRangesBySex } from './lab-ranges-by-sex.ts';
import { withoutRowNumbers } from './lab-row-numbers.ts';
import { labelRangesBySex } from './lab-sex-columns.ts';
import { splitSideBySide } from './lab-side-by-side.ts';
import { joinStackedLimits } from './lab-stacked-limits.ts';

/** The page with each result in a line of its own: without what is beside the results, and with limits joined. */
export function preparePage(page: LayoutPage): LayoutPage {
  const limited = joinLimits(withoutBullets(withoutMarginColumn(joinBrokenNumbers(page))));
  const ranges = chooseWantedRanges(joinRangesBySex(labelRangesBySex(limited)));
  return joinStackedLimits(splitSideBySide(joinBrokenResults(raiseGroups(withoutRowNumbers(ranges)))));
}

/** Adds the signs of doubt that follow from the print of a page, and returns its rows. */
export function addDoubtsOfPage(rows: FoundLabResult[], page: LayoutPage): FoundLabResult[] {
  const named = addDoubtsOfNames(addDoubtsOfCutNames(rows, page), page);
  const limited = addDoubtsOfLimits(named, page);
  return addDoubtsOfCategories(addDoubtsOfLostRanges(limited, page), page);
}
