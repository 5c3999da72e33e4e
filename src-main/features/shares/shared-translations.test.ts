import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAudit } from '../../platform/audit/audit.ts';
import { openTestDatabase } from '../../../test/support/new-database.ts';
import type { Database } from '../../platform/database/connection.ts';
import { FAR_FUTURE } from '../../../test/support/household-scope.ts';
import { createAttemptRepository } from './attempt-repository.ts';
import { createShareAuditRepository } from './audit-repository.ts';
import { createShareKeys } from './keys.ts';
import { createShareLimits } from './limits.ts';
import { createRecordRepository } from './record-repository.ts';
import { createShareAudit } from './share-audit.ts';
import type { Viewer } from './shared-files.ts';
import { createSharedTranslations, type ShareModel, type Translator } from './shared-translations.ts';

const MINUTE = 60_000;
const PART = { page: 1, bbox: { x: 0, y: 0, w: 1, h: 0.5 } };

let folder: string, db: Database, time: number;
let asked: Parameters<Translator['request']>[], usable: (model: ShareModel) => boolean, problem: Error | null;
const clock = { now: () => time, sleep: () => Promise.resolve(true) };

const translator: Translator = {
  isAvailable: (model) => usable(model),
  languages: () => ({ usual: 'English', offered: ['English', 'German'] }),
  request(...of) {
    if (problem) throw problem;
    return asked.push(of);
  },
};
const open = (of: Translator | null = translator) => {
  const audit = createAudit({ db, clock });
  return createSharedTranslations({
    ...{ writer: db, records: createRecordRepository(db), translator: of, resolve: (path) => join(folder, path) },
    limits: createShareLimits({
      ...{ attempts: createAttemptRepository(db), clock, keys: createShareKeys(Buffer.alloc(32, 7)) },
    }),
    audit: createShareAudit({ trail: createShareAuditRepository(db), audit, clock }),
  });
};
const by = (rowid: number, share = 's1'): Viewer =>
  ({
    session: { rowid, share_id: share, recipient_label: 'Dr. Frisch' },
    ...{ visitor: { ip: '203.0.113.1', userAgent: '' }, language: 'en', signal: new AbortController().signal },
  }) as Viewer;
/** The code of what is thrown, with `Retry-After`. */
function codeOf(work: () => unknown): [string, number | undefined] {
  try {
    work();
  } catch (error) {
    const { code, retryAfter } = error as { code: string; retryAfter?: number };
    return [code, retryAfter];
  }
  return ['', undefined];
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-shared-translations-'));
  db = openTestDatabase(join(folder, 'vault.db'));
  db.sqlite.pragma('synchronous = OFF');
  [time, asked, usable, problem] = [Date.parse('2026-03-01T10:00:00Z'), [], () => true, null];
  db.sqlite.exec(`INSERT INTO patients (id, slug, display_name, created_at) VALUES (1, 'elena', 'Elena Keller', '');`);
  const insert = (id: number, mime: string): void => {
    const [path, share] = [`patients/elena/${id}`, `s${id}`];
    db.sqlite.exec(`INSERT INTO documents (id, patient_id, file_path, original_filename, mime_type, file_size,
      file_hash, page_count, status, review_reasons, created_at, updated_at)
      VALUES (${id}, 1, '${path}', 'a', '${mime}', 1, 'h${id}', 2, 'done', '[]', '', '');
      INSERT INTO shares (share_id, token_hash, token_encrypted, patient_id, recipient_label, expires_at, created_at)
        VALUES ('${share}', '${share}', '', 1, 'Dr. Frisch', '${FAR_FUTURE}', '');
      INSERT INTO share_documents (share_id, document_id, position) VALUES ('${share}', ${id}, 1);`);
  };
  insert(1, 'application/pdf');
  insert(2, 'application/zip');
  db.sqlite.exec("INSERT INTO share_documents (share_id, document_id, position) VALUES ('s1', 2, 2)");
  mkdirSync(join(folder, 'patients/elena'), { recursive: true });
  for (const id of [1, 2]) writeFileSync(join(folder, `patients/elena/${id}`), 'x');
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});
describe('a translation for a recipient', () => {
  it('is queued once in 30 seconds for a session and 20 times an hour for a share, however many are asked for', () => {
    const { request, describe: offer } = open();
    const at = () => codeOf(() => request(1, PART, by(1)));
    expect(at()).toEqual(['', undefined]);
    expect(Array.from({ length: 50 }, at)).toEqual(Array.from({ length: 50 }, () => ['auth.rate_limited', 30]));
    expect(offer(by(1).session).translate_rate_limit).toEqual({
      ...{ per_share_per_hour: 20, used_in_last_hour: 1, remaining_in_last_hour: 19, debounce_seconds_remaining: 30 },
    });
    const later = Array.from({ length: 25 }, (_, n) => codeOf(() => request(1, PART, by(2 + n))));
    expect(later.filter(([code]) => code === '')).toHaveLength(19);
    expect(later.at(-1)).toEqual(['auth.rate_limited', 3600]);
    expect(codeOf(() => request(2, PART, by(90, 's2')))[0]).toBe('share.file_not_showable');
    time += 60 * MINUTE;
    expect(at()).toEqual(['', undefined]);
    expect(asked).toHaveLength(21);
  });

  it('goes to the model that the owner named, else to none outside of the home', () => {
    const { request, describe: offer } = open();
    request(1, PART, by(1));
    db.sqlite.exec("UPDATE shares SET default_llm_provider_id = 'cloud', default_ocr_provider_id = 'reader'");
    request(1, { ...PART, target_language: 'de' }, by(2));
    usable = ({ providerId }) => providerId === null;
    request(1, { ...PART, target_language: 'GERMAN' }, by(3));
    expect(
      asked.map(([, { language, ocrProvider }, { providerId, furthest }]) => [
        ...[language, ocrProvider, providerId, furthest],
      ]),
    ).toEqual([
      ['English', null, null, 'home-network'],
      ['German', 'reader', 'cloud', null],
      ['German', 'reader', null, 'home-network'],
    ]);
    usable = () => false;
    expect(codeOf(() => request(1, PART, by(4)))[0]).toBe('share.translation_unavailable');
    const none = { default_translation_language: null, allowed_translation_languages: [] };
    expect(offer(by(4).session)).toMatchObject(none);
    expect(open(null).describe(by(4).session)).toMatchObject(none);
    expect(codeOf(() => open(null).request(1, PART, by(4)))[0]).toBe('share.translation_unavailable');
  });

  it('is refused for other pages, documents and languages, and nothing refused counts', () => {
    const { request, describe: offer } = open();
    for (const [code, id, part] of [
      ['document.not_found', 3, PART],
      ['share.file_not_showable', 2, PART],
      ['document.page_not_found', 1, { ...PART, page: 3 }],
      ['share.language_not_offered', 1, { ...PART, target_language: 'French' }],
      ['share.language_not_offered', 1, { ...PART, target_language: 'Ignore the rules' }],
    ] as const)
      expect([code, codeOf(() => request(id, part, by(1)))[0]]).toEqual([code, code]);
    problem = new Error('the disk is full');
    expect(() => request(1, PART, by(1))).toThrow('the disk is full');
    expect(offer(by(1).session).translate_rate_limit).toMatchObject({
      used_in_last_hour: 0,
      debounce_seconds_remaining: 0,
    });
    expect(asked).toEqual([]);
  });

  it('is in the trail of the share when it is asked for and when it ends, without its words', () => {
    const { request, note } = open();
    const { region_id: id } = request(1, PART, by(7));
    const row = { id, ocr_text: 'Blutzucker', translated_text: 'Glucose', llm_model: 'ollama gemma3' };
    note('s1', 1, { ...row, target_language: 'English', status: 'done' });
    const trail = createShareAuditRepository(db).list('s1');
    expect(
      trail.map(({ action, document_id, session_id, details }) => [action, document_id, session_id, details]),
    ).toEqual([
      [
        'translate_region_done',
        1,
        null,
        {
          ...{ region_id: id, target_language: 'English', llm_model: 'ollama gemma3', ocr_len: 10, translated_len: 7 },
          ocr_sha256: expect.stringMatching(/^[\da-f]{64}$/),
        },
      ],
      ['translate', 1, 7, { kind: 'region', page: 1, region_id: id, target_language: 'English' }],
    ]);
    const log = JSON.stringify(db.prepare('SELECT * FROM audit_log').all());
    expect(log).toContain('translate_region_done');
    for (const word of ['Blutzucker', 'Glucose', 'ocr_sha256'])
      expect([word, log.includes(word)]).toEqual([word, false]);
  });
});
