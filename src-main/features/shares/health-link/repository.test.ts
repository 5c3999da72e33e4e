import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../../../../test/support/new-database.ts';
import { createShareAuditRepository } from '../audit-repository.ts';
import { createHealthLinkRepository } from './repository.ts';

const [NOW, END] = ['2026-03-01T10:00:00', '2099-01-01T00:00:00'];

it('keeps the files of a link while its last passcode is compared, and no longer once it was wrong', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-health-links-'));
  const db = openTestDatabase(join(folder, 'vault.db'));
  try {
    db.sqlite.exec(`
      INSERT INTO patients (id, slug, display_name, created_at) VALUES (1, 'elena', 'Elena Keller', '');
      INSERT INTO shares (share_id, token_hash, token_encrypted, patient_id, recipient_label, expires_at, created_at)
        VALUES ('share', 'hash', 'sealed', 1, 'Dr. Frisch', '${END}', '');
      INSERT INTO share_health_links (link_id, share_id, token_hash, label, document_ids, tries_left, expires_at, created_at)
        VALUES ('one', 'share', 'one', '', '[]', 0, '${END}', ''), ('two', 'share', 'two', '', '[]', 3, '${END}', '');`);
    const links = createHealthLinkRepository(db);
    expect(links.listKept(NOW, NOW)).toEqual(['one', 'two']);
    const locked = {
      shareId: 'share',
      action: 'health_link_locked',
      visitor: null,
      details: { link_id: 'one' },
    } as const;
    createShareAuditRepository(db).record(locked, NOW);
    expect(links.listKept(NOW, NOW)).toEqual(['two']);
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
});
