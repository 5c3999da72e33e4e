import { errorOf, type FailedOutcome, type Outcome } from '../providers/provider.ts';
import { hash } from './artifacts.ts';
import { closeEvent, makeTools, toFault, withGrace, type Run, type RunDeps, type RunEnd } from './run.ts';
import type { StageName } from './stage.ts';
import type { TranslationTools } from './translation-tools.ts';

/** Translations of whole documents are in English. */
const ENGLISH = 'English';
/** Separates pages in a text, as in plain text from PDFs. */
const PAGE_BREAK = '\f';

/** Runs a job that translates a document or a part of a page. Never throws. */
export async function runTranslation(deps: RunDeps, run: Run): Promise<RunEnd> {
  const { signal } = run.controller;
  const tools = makeTools(deps, run);
  try {
    const failure = await (run.job.kind === 'translate'
      ? translateDocument(deps, run, tools)
      : translateRegion(deps, run, tools.translation));
    if (signal.aborted) return { kind: 'interrupted' };
    if (!failure) return { kind: 'done', hasUnreadPages: false };
    return { kind: 'failed', fault: { stage: run.stage, reason: failure.reason, error: errorOf(failure) } };
  } catch (error) {
    if (signal.aborted) return { kind: 'interrupted' };
    const fault = toFault(deps, run, error);
    closeEvent(deps, run, 'failed', fault.error);
    const { region_id: region } = run.job.options;
    if (region !== undefined) tools.translation.saveRegion(region, { status: 'failed', error: fault.error });
    return { kind: 'failed', fault };
  }
}

/** Runs the work of one stage and writes its event. */
async function inStage<T>(
  deps: RunDeps,
  run: Run,
  stage: StageName,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const { signal } = run.controller;
  const eventId = deps.events.open(run.document.id, stage, run.job.kind);
  Object.assign(run, { stage, eventId, pageCurrent: null, pageTotal: null, passedOver: null, usage: null });
  deps.onChange(run);
  const outcome = await withGrace(deps.clock, work(), signal);
  if (signal.aborted) return CANCELLED;
  closeEvent(deps, run, outcome.ok ? 'completed' : 'failed', outcome.ok ? run.passedOver : errorOf(outcome));
  run.done.push(stage);
  deps.onChange(run);
  return outcome;
}

const CANCELLED: FailedOutcome = { ok: false, reason: 'cancelled', code: 'reading.cancelled' };

/** Translates page by page; what is translated is kept, so that an interrupted job goes on with the next page. */
async function translateDocument(
  deps: RunDeps,
  run: Run,
  { translation, progress }: { translation: TranslationTools; progress: (current: number, total: number) => void },
): Promise<FailedOutcome | null> {
  const { document, job, controller } = run;
  const { artifacts } = deps;
  const outcome = await inStage(deps, run, 'translation', async () => {
    const pages = await translation.pages();
    const texts = pages.map(({ text }) => text);
    if (texts.every((text) => text.trim() === '')) return NO_TEXT;
    const key = hash([job.options.llm_provider_id ?? null, texts]);
    const done = artifacts.recallTranslation(document.id, key) ?? { texts: [], model: '' };
    for (const text of texts.slice(done.texts.length)) {
      progress(done.texts.length + 1, texts.length);
      const translated = await translation.translate(text, ENGLISH);
      if (controller.signal.aborted) return CANCELLED;
      if (!translated.ok) return translated;
      done.texts.push(translated.value.text);
      done.model = translated.value.model || done.model;
      artifacts.keepTranslation(document.id, key, done);
    }
    translation.saveDocument(done.texts.join(PAGE_BREAK), done.model);
    return { ok: true, value: true };
  });
  return outcome.ok ? null : outcome;
}

const NO_TEXT: FailedOutcome = { ok: false, reason: 'bad_answer', code: 'translation.no_text_detected' };

async function translateRegion(deps: RunDeps, run: Run, tools: TranslationTools): Promise<FailedOutcome | null> {
  const { region_id: id, target_language: language = ENGLISH } = run.job.options;
  const region = id === undefined ? null : tools.region(id);
  // It was deleted while it waited, or may not be translated any more.
  if (!region) return null;
  const failed = (failure: FailedOutcome): FailedOutcome => {
    if (!run.controller.signal.aborted) tools.saveRegion(region.id, { status: 'failed', error: errorOf(failure) });
    return failure;
  };
  const read = await inStage(deps, run, 'region_ocr', async () => {
    const found = await tools.readRegion(region);
    return found.ok && found.value.text.trim() === '' ? NO_TEXT : found;
  });
  if (!read.ok) return failed(read);
  const { text, thumbnailPath, ocrProvider } = read.value;
  const found = { ocr_text: text, thumbnail_path: thumbnailPath, ocr_provider_id: ocrProvider };
  // It was deleted while it was read, or may not be translated any more.
  if (!tools.region(region.id)) return null;
  tools.saveRegion(region.id, { status: 'queued', error: null, ...found });
  const translated = await inStage(deps, run, 'region_translation', () => tools.translate(text, language));
  if (!translated.ok) return failed(translated);
  const { text: translated_text, providerId, model } = translated.value;
  const result = { translated_text, llm_provider_id: providerId, llm_model: model };
  tools.saveRegion(region.id, { status: 'done', error: null, ...result });
  return null;
}
