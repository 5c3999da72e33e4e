import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { test } from '../support/fixtures.ts';

let house: Household;
let owner: Client;
test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
});

const document = (): number => house.make.document();
const link = (from: number, target_document_id: number, link_type = 'related', by = owner) =>
  by.post(`/api/documents/${from}/link`, { target_document_id, link_type });
const linksOf = async (id: number, by = owner) => (await by.get(`/api/documents/${id}/links`)).body.items;

describe('links between documents', () => {
  it('are listed at both documents', async () => {
    const [bill, report] = [document(), document()];
    const made = await link(bill, report, 'invoice_for');
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: made.body.id,
        link_id: made.body.id,
        source_document_id: bill,
        target_document_id: report,
        link_type: 'invoice_for',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}$/),
        title: null,
        original_filename: expect.any(String),
        doc_type: 'lab_test',
        event_date: '2025-11-12',
        facility_name: null,
        doctor_name: null,
        specialty_display: null,
        highlights: expect.objectContaining({ results: 0, subjects: [] }),
      },
    ]);
    const [seenAtBill, seenAtReport] = [(await linksOf(bill))[0], (await linksOf(report))[0]];
    expect(seenAtBill).toEqual(made.body);
    expect(seenAtReport).toMatchObject({ link_id: made.body.id, source_document_id: bill, target_document_id: report });
    const nameOf = async (id: number) => (await owner.get(`/api/documents/${id}`)).body.original_filename;
    expect([seenAtBill.original_filename, seenAtReport.original_filename]).toEqual([
      await nameOf(report),
      await nameOf(bill),
    ]);
    expect((await owner.get(`/api/documents/${report}`)).body.links).toEqual([seenAtReport]);
  });

  it('accept exactly the types of the specification', async () => {
    const [a, b] = [document(), document()];
    for (const type of ['invoice_for', 'report_for', 'imaging_for', 'follow_up', 'related'])
      expect([type, (await link(a, b, type)).status]).toEqual([type, 201]);
    for (const type of ['', 'Related', 'parent', null, 3]) expect((await link(a, b, type as string)).status).toBe(422);
    expect(await linksOf(a)).toHaveLength(5);
  });

  it('are rejected as duplicates, reversed, and to the same document', async () => {
    const [a, b] = [document(), document()];
    await link(a, b, 'follow_up');
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const)
      expect((await link(from, to, 'follow_up')).body.code).toBe('link.exists');
    const own = await link(a, a);
    expect([own.status, own.body.code]).toEqual([400, 'link.self_reference']);
    expect(await linksOf(a)).toHaveLength(1);
  });

  it('are stored once when two requests arrive together', async () => {
    const [a, b] = [document(), document()];
    const answers = await Promise.all([link(a, b), link(b, a), link(a, b)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
  });

  it('are removed from either document, once', async () => {
    const [a, b, c] = [document(), document(), document()];
    const { body } = await link(a, b);
    expect((await owner.call('DELETE', `/api/documents/${c}/links/${body.link_id}`)).body.code).toBe('link.not_found');
    expect((await owner.call('DELETE', `/api/documents/${b}/links/${body.link_id}`)).body).toEqual({
      ok: true,
      status: 'deleted',
      link_id: body.link_id,
    });
    expect((await owner.call('DELETE', `/api/documents/${a}/links/${body.link_id}`)).status).toBe(404);
    expect([await linksOf(a), await linksOf(b)]).toEqual([[], []]);
  });

  it('do not reveal documents that the caller may not see', async () => {
    const mine = document(),
      theirs = house.make.document({ patient: house.otherPatient });
    for (const target of [theirs, 999_999])
      expect([(await link(mine, target)).status, (await link(mine, target)).body.code]).toEqual([
        404,
        'document.not_found',
      ]);
    expect((await link(theirs, mine)).status).toBe(403);
    expect((await house.as('other').get(`/api/documents/${mine}/links`)).status).toBe(403);
  });

  it('between two patients are shown only to users who may see both', async () => {
    const mine = document(),
      theirs = house.make.document({ patient: house.otherPatient });
    const both = house.as('keeper');
    house.db
      .prepare("INSERT INTO patient_access (user_id, patient_id, role) VALUES (?, ?, 'owner')")
      .run(house.ids.keeper, house.otherPatient);
    const { body } = await link(mine, theirs, 'related', both);
    expect(await linksOf(mine, both)).toHaveLength(1);
    // The document is kept as it was read for the one; the other still gets their own links of it.
    expect((await both.get(`/api/documents/${mine}`)).body.links).toHaveLength(1);
    expect(await linksOf(mine)).toEqual([]);
    expect((await owner.get(`/api/documents/${mine}`)).body.links).toEqual([]);
    expect((await owner.call('DELETE', `/api/documents/${mine}/links/${body.link_id}`)).status).toBe(404);
    expect(await linksOf(theirs, house.as('other'))).toEqual([]);
    house.db
      .prepare("UPDATE patient_access SET role = 'viewer' WHERE user_id = ? AND patient_id = ?")
      .run(house.ids.keeper, house.otherPatient);
    expect((await link(document(), theirs, 'related', both)).body.code).toBe('auth.read_only');
    house.db
      .prepare('DELETE FROM patient_access WHERE user_id = ? AND patient_id = ?')
      .run(house.ids.keeper, house.otherPatient);
  });

  it("can't be changed by viewers", async () => {
    const [a, b] = [document(), document()];
    const { body } = await link(a, b);
    const viewer = house.as('viewer');
    expect(await linksOf(a, viewer)).toHaveLength(1);
    expect((await link(b, a, 'follow_up', viewer)).status).toBe(403);
    expect((await viewer.call('DELETE', `/api/documents/${a}/links/${body.link_id}`)).status).toBe(403);
  });

  it('are deleted and restored with their document', async () => {
    const [a, b] = [document(), document()];
    await link(a, b, 'report_for');
    const before = await linksOf(b);
    const { body } = await owner.call('DELETE', `/api/documents/${a}`);
    expect(await linksOf(b)).toEqual([]);
    await owner.post(`/api/trash/${body.trash_id}/restore`);
    expect(await linksOf(b)).toEqual(before);
  });
});
