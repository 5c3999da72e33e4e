import { expect } from 'vitest';
import { Program } from './program.ts';
import { type Step } from './walk.ts';

const SHARED = { share_id: 'string', share_url: 'string', expires_at: 'string' } as const;

export const sharesSteps: readonly Step[] = [
  [
    'shares documents, and opens the share on two devices',
    async ({ ask, ids, url }) => {
      const body = {
        patient_id: ids.patient,
        document_ids: [ids.report],
        recipient_label: 'Dr. Frisch',
        recipient_contact: 'frisch@example.org',
        expires_in_days: 2,
      };
      const { share_id, share_url } = (await ask('POST /api/shares', { body, status: 201, shape: SHARED })).body;
      const at = { share_id, token: String(share_url).split('/').at(-1) ?? '' };
      await ask('GET /api/shares', { query: `?patient_id=${ids.patient}`, shape: [{ ...SHARED, patient_id: 'int' }] });
      await ask('GET /api/shares/{share_id}/documents', { at, shape: [{ id: 'int' }] });

      const doctors = [new Program(url), new Program(url)];
      const statuses: number[] = [];
      for (const as of doctors) {
        await ask('POST /api/share/{token}/request-otp', { at, as, status: 204 });
        const live = async () => (await ask('GET /api/shares/{share_id}/active-otp', { at })).body.active_otp;
        await expect.poll(live).not.toBeNull();
        const { code } = await live();
        const sent = await as.send('POST', `/api/share/${at.token}/verify-otp`, { body: { code } });
        statuses.push(sent.status);
        await ask('POST /api/share/{token}/verify-otp', { at, as, body: { code }, status: 401 });
      }
      expect(statuses).toEqual([200, 202]);
      const [first, second] = doctors as [Program, Program];
      await ask('POST /api/share/claim', {
        as: second,
        status: 202,
        shape: { status: 'active|queued', queue_expires_at: 'string' },
      });
      await ask('POST /api/share/heartbeat', { as: first, status: 204 });
      await ask('GET /api/share/me', {
        as: first,
        shape: {
          patient_name: 'string',
          recipient_label: 'string',
          session_expires_at: 'string',
          documents: [{ id: 'int' }],
          allowed_translation_languages: 'array',
        },
      });
      const of = { doc_id: ids.report };
      const { body: shown } = await ask('GET /api/share/documents/{doc_id}', { as: first, at: of });
      expect(shown).not.toHaveProperty('encounters');
      await ask('GET /api/share/documents/{doc_id}', { as: first, at: { doc_id: 9_999_999 }, status: 404 });
      const file = await ask('GET /api/share/documents/{doc_id}/file', { as: first, at: of });
      expect([file.headers.get('content-type'), file.headers.get('cache-control')]).toEqual([
        'application/pdf',
        'no-store',
      ]);
      await ask('GET /api/share/documents/{doc_id}/region-translations/{region_id}/thumbnail', {
        as: first,
        at: { ...of, region_id: 1 },
        status: 404,
      });
      // No model is set up that could translate.
      const region = { page: 1, bbox: { x: 0, y: 0, w: 1, h: 1 } };
      for (const [route, sending] of [
        ['POST /api/share/documents/{doc_id}/translate-region', { body: region }],
        ['POST /api/share/documents/{doc_id}/translate', {}],
      ] as const)
        await ask(route, { as: first, at: of, status: 503, ...sending });

      const sessions = (await ask('GET /api/shares/{share_id}/sessions', { at })).body;
      expect([sessions.active.length, sessions.queued.length, sessions.active[0].is_idle]).toEqual([1, 1, false]);
      const row = (rowid: number) => ({ at: { share_id, rowid } });
      await ask('DELETE /api/shares/{share_id}/queue/{rowid}', row(sessions.queued[0].rowid));
      await ask('POST /api/share/claim', { as: second, status: 410 });
      await ask('DELETE /api/share/queue', { as: second, status: 204 });
      await ask('DELETE /api/shares/{share_id}/sessions/{rowid}', row(sessions.active[0].rowid));
      await ask('GET /api/share/me', { as: first, status: 401 });
      await ask('POST /api/share/logout', { as: first });

      const { body: trail } = await ask('GET /api/shares/{share_id}/audit', { at, query: '?include_active_otp=true' });
      expect(trail.events.map(({ action }: { action: string }) => action)).toEqual(
        expect.arrayContaining([
          'otp_request',
          'otp_verify_ok',
          'view_doc',
          'share.session.revoke',
          'share.queue.drop',
        ]),
      );
      for (let times = 0; times < 2; times += 1) await ask('DELETE /api/shares/{share_id}', { at });
      const log = await ask('GET /api/settings/audit-log', { query: '?action=share.create,otp_verify_ok&limit=500' });
      expect(log.body.items.length).toBeGreaterThan(1);
    },
  ],
];
