import { extname } from 'node:path';
import type { ErrorReference } from '../../../src-shared/contract/errors.ts';
import type { StageUsage } from '../../../src-shared/contract/rows.ts';
import { Failure } from '../../platform/kernel/errors.ts';
import { documentName } from '../../platform/vault/layout.ts';
import { fold } from '../../reading/extraction/fold.ts';
import { askAboutData, sentenceOf } from '../../reading/providers/models/ask-about-data.ts';
import { lineOf, type SuggestionDeps } from './asking.ts';
import type { Details } from './repository.ts';

const SYSTEM = `You name the file of a scanned paper so that a family finds it again. Answer with its subject in two to five words
of the paper, in its language: what was done, found or billed, and by whom if that tells it apart. Leave out dates, the name
of the patient, and words like document or scan. Give a reason of one sentence and a confidence from 0 to 1.`;
const MAX_TEXT = 6000;
const MAX_WORDS = 6;
const SURE = 0.8;

export interface NameProposal {
  suggested_filename?: string;
  by_model?: { confidence: 'high' | 'review'; reason: string; usage: StageUsage | null };
  failure?: ErrorReference;
}

/** Proposes the name of a file; null without a model. The date is that of the details, and nothing is renamed. */
export async function proposeFilename(
  deps: SuggestionDeps,
  id: number,
  signal: AbortSignal,
): Promise<NameProposal | null> {
  const details = deps.repository.details(id);
  if (!details || !deps.model.isAvailable()) return null;
  const text = deps.repository
    .pages(id, MAX_TEXT)
    .map((page) => page.text)
    .join('\n')
    .slice(0, MAX_TEXT);
  const given = `Document: ${lineOf(details, 0)}\nText:\n${text}`;
  const request = 'How should the file be called?';
  try {
    const { nameAnswer } = await import('../../../src-shared/contract/model-proposals.ts');
    const { said, usage } = await askAboutData(deps, nameAnswer, { system: SYSTEM, given, request }, signal);
    const words = said.subject.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
    const suggested_filename = nameOf(details, words.slice(0, MAX_WORDS));
    if (suggested_filename === null) return null;
    const isSure = said.confidence >= SURE && words.every((word) => isIn(given, word));
    return {
      suggested_filename,
      by_model: { confidence: isSure ? 'high' : 'review', reason: sentenceOf(said.reason), usage },
    };
  } catch (error) {
    if (signal.aborted || !(error instanceof Failure)) throw error;
    return { failure: { code: error.code, params: error.params } };
  }
}

function nameOf({ doc_type, event_date, original_filename }: Details, words: readonly string[]): string | null {
  const subject = words.join('-');
  if (subject === '') return null;
  const type = doc_type === null || doc_type === 'other' ? '' : `${doc_type.replaceAll('_', '-')}_`;
  return documentName({
    ...{ eventDate: event_date, stem: type + subject, docType: doc_type },
    ext: extname(original_filename),
  });
}

const isIn = (text: string, word: string): boolean => ` ${fold(text)} `.includes(` ${fold(word)} `);
