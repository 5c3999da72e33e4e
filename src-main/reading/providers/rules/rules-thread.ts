import type { PageText } from '../../../../src-shared/medical/page.ts';
import type { ReaderContext } from '../../extraction/extraction.ts';
import { readDocument } from '../../extraction/read-document.ts';
import { serveTasks } from '../../../platform/kernel/serve-tasks.ts';

serveTasks<{ pages: PageText[]; context: ReaderContext }>(async ({ pages, context }) => ({
  value: readDocument(pages, context),
}));
