import { EDITABLE_BY_MODEL, type EditableByModel } from '../../../src-shared/contract/model-fields.ts';
import type { ProposedChange, suggestions as contract } from '../../../src-shared/contract/suggestions.ts';
import type { Input, ReplyInput } from '../../../src-shared/contract/endpoint.ts';
import { toTimestamp } from '../../platform/kernel/clock.ts';
import { fold } from '../../reading/extraction/fold.ts';
import { findDates } from '../../reading/extraction/fields/date-text.ts';
import type { PageText } from '../../../src-shared/medical/page.ts';
import { askAboutData } from '../../reading/providers/models/ask-about-data.ts';
import { requireDetails, type SuggestionDeps } from './asking.ts';
import type { Details } from './repository.ts';

const MAX_PAGES_TEXT = 12_000;
type Body = Input<typeof contract.editWithAi>['body'];
type Reply = ReplyInput<typeof contract.editWithAi>;

/** Proposes changes of the details of a document from an instruction; nothing is changed. */
export async function proposeEdit(deps: SuggestionDeps, id: number, body: Body, signal: AbortSignal): Promise<Reply> {
  const details = requireDetails(deps, id, body.llm_provider_id ?? null);
  const pages = deps.repository.pages(id, MAX_PAGES_TEXT);
  const today = toTimestamp(deps.clock.now()).slice(0, 10);
  const { documents: documentContract } = await import('../../../src-shared/contract/documents.ts');
  const { editAnswer } = await import('../../../src-shared/contract/model-proposals.ts');
  const { said, usage } = await askAboutData(
    deps,
    editAnswer,
    {
      system: `${deps.prompt('document_edit').replaceAll('{today}', today)}\nFields: ${EDITABLE_BY_MODEL.join(', ')}.`,
      given: `${detailsOf(details)}\n\nText of the document:\n${textWithin(pages)}`,
      request: `Instruction of the person: ${body.instruction}`,
      providerId: body.llm_provider_id ?? null,
    },
    signal,
  );
  const changes: Partial<Record<EditableByModel, ProposedChange>> = {};
  const patch: Record<string, unknown> = {};
  for (const { field, value } of said.changes) {
    const parsed = documentContract.update.body.shape[field].safeParse(value?.trim() || null);
    if (!parsed.success) continue;
    const to = parsed.data === null || parsed.data === undefined ? null : String(parsed.data);
    if (to === details[field]) continue;
    changes[field] = {
      from: details[field],
      to,
      ...supportOf(field, to, { today, pages, instruction: body.instruction }),
    };
    patch[field] = parsed.data;
  }
  return {
    ...{ status: Object.keys(changes).length > 0 ? 'proposed' : 'unchanged', mode: 'metadata', document_id: id },
    ...{ changes, patch, missing: said.missing?.trim() || null, usage },
  };
}

const detailsOf = (details: Details): string =>
  EDITABLE_BY_MODEL.map((field) => `${field}: ${details[field] ?? 'null'}`).join('\n');

function textWithin(pages: readonly PageText[]): string {
  return pages
    .map(({ page, text }) => `Page ${page}:\n${text}`)
    .join('\n')
    .slice(0, MAX_PAGES_TEXT);
}

interface Sources {
  today: string;
  pages: readonly PageText[];
  instruction: string;
}

/** Where a value is from. What the model wrote itself, such as a summary, is in neither, and is shown as that. */
function supportOf(
  field: EditableByModel,
  value: string | null,
  { today, pages, instruction }: Sources,
): Pick<ProposedChange, 'support' | 'page'> {
  const isIn = (text: string): boolean =>
    field.endsWith('_date')
      ? findDates(text, today).some(({ dmy, mdy }) => dmy === value || mdy === value)
      : ` ${fold(text)} `.includes(` ${fold(value ?? '')} `);
  // Nothing to find: the person asked for it, or confirms it.
  if (value === null || field === 'doc_type' || isIn(instruction)) return { support: 'instruction', page: null };
  const page = pages.find(({ text }) => isIn(text))?.page ?? null;
  return { support: page === null ? 'none' : 'page', page };
}
