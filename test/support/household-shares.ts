import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSigner, openSecretKey } from '../../src-main/platform/config/secret-key.ts';
import { createShareKeys } from '../../src-main/features/shares/keys.ts';
import { randomId, randomToken } from '../../src-main/platform/kernel/ids.ts';
import { CREATED_AT, FAR_FUTURE, type Scope } from './household-scope.ts';

/** A share with one document, and the secret in its link. */
export interface MadeShare {
  id: string;
  token: string;
  document: number;
}
/** A recipient at the door: the row, and the `Cookie` header. */
export interface MadeRecipient {
  rowid: number;
  cookie: string;
}

/** A PNG of one gray pixel. */
const GRAY_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==';
const NOW = (): string => new Date().toISOString().slice(0, 19);

/** Shares and recipients, written as the program writes them. */
export function createShareRecords(scope: Scope, documents: { document(): number }) {
  const vaultKey = openSecretKey(scope.vault);
  const keys = createShareKeys(vaultKey);
  const sign = (purpose: string, secret: string): string => createSigner(vaultKey, purpose).sign(secret, Date.now());
  const shareRecords = {
    share(values: Record<string, unknown> = {}): MadeShare {
      const [id, token, document] = [randomId(), randomToken(), documents.document()];
      scope.insert('shares', {
        share_id: id,
        token_hash: keys.hashSecret(token),
        token_encrypted: keys.sealLink(id, token),
        patient_id: scope.patient,
        recipient_label: 'Dr. Frisch',
        recipient_contact: '+41 31 555 01 02',
        expires_at: FAR_FUTURE,
        created_at: CREATED_AT,
        ...values,
      });
      scope.insert('share_documents', { share_id: id, document_id: document, position: 1 });
      return { id, token, document };
    },
    addToShare({ id }: MadeShare, document: number): void {
      scope.insert('share_documents', { share_id: id, document_id: document, position: 2 });
    },
    /** Somebody who has the share open. */
    recipient(share: MadeShare, values: Record<string, unknown> = {}): MadeRecipient {
      const secret = randomToken();
      const rowid = scope.insert('share_sessions', {
        session_hash: keys.hashSecret(secret),
        share_id: share.id,
        client_ip: '203.0.113.7',
        user_agent: 'test',
        created_at: NOW(),
        last_seen_at: NOW(),
        expires_at: FAR_FUTURE,
        ...values,
      });
      return { rowid, cookie: `vault_share=${sign('share session', secret)}` };
    },
    /** A SMART Health Link with one file of ciphertext, and the secret in its address. */
    healthLink(share: MadeShare, values: Record<string, unknown> = {}): { id: string; token: string } {
      const [id, token] = [randomId(), randomToken()];
      const jwe = 'eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVydGV4dA.dGFn';
      scope.insert('share_health_links', {
        ...{ link_id: id, share_id: share.id, token_hash: keys.hashSecret(token), label: 'For Dr. Frisch' },
        ...{ document_ids: JSON.stringify([share.document]), file_sizes: JSON.stringify([jwe.length]) },
        ...{ expires_at: FAR_FUTURE, created_at: CREATED_AT },
        ...values,
      });
      const folder = join(scope.vault, 'cache/health-links', id);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, '0.jwe'), jwe);
      return { id, token };
    },
    /** A translated part of a page, with its picture. */
    region(document: number, values: Record<string, unknown> = {}): number {
      const n = scope.next();
      const thumbnail_path = `cache/regions/${n}.png`;
      mkdirSync(join(scope.vault, 'cache/regions'), { recursive: true });
      writeFileSync(join(scope.vault, thumbnail_path), Buffer.from(GRAY_PIXEL, 'base64'));
      return scope.insert('region_translations', {
        ...{ document_id: document, page: 1, bbox_x: 0.1, bbox_y: 0.1, bbox_w: 0.5, bbox_h: 0.2 },
        ...{ translated_text: 'A word', thumbnail_path, ocr_provider_id: 'builtin', created_at: CREATED_AT },
        ...values,
      });
    },
    /** Somebody in the queue. */
    waiter(share: MadeShare, values: Record<string, unknown> = {}): MadeRecipient {
      const secret = randomToken();
      const rowid = scope.insert('share_queue', {
        token_hash: keys.hashSecret(secret),
        share_id: share.id,
        client_ip: '203.0.113.8',
        user_agent: 'test',
        created_at: NOW(),
        queue_expires_at: FAR_FUTURE,
        ...values,
      });
      return { rowid, cookie: `vault_share_queue=${sign('share queue', secret)}` };
    },
  };
  return shareRecords;
}
