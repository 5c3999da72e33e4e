import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { test as base, WITHOUT_INBOX } from '../support/fixtures.ts';
import type { Household } from '../support/household.ts';

let house: Household;
let owner: Client;
const test = base.override('serveOptions', WITHOUT_INBOX);
test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
});

describe('measurements and key images of a study', () => {
  it('have the points of their kind, without which no viewer can draw them', async () => {
    const { study, series } = house.make.study();
    const path = `/api/imaging/${study}/marks`;
    const counts = { length: 2, angle: 3, ellipse: 4, rectangle: 4, probe: 1, key_image: 0 };
    const pointsOf = (count: number) => Array.from({ length: count }, (_, at) => [at, 2 * at]);
    for (const [kind, count] of Object.entries(counts)) {
      const mark = { series_id: series, index: 0, kind, points: pointsOf(count) };
      const { status, body } = await owner.post(path, mark);
      expect([kind, status]).toEqual([kind, 201]);
      const others = [0, 1, 2, 3, 4, 5].filter((other) => other !== count).map(pointsOf);
      for (const points of others) {
        const answers = [
          await owner.post(path, { ...mark, points }),
          await owner.call('PATCH', `${path}/${body.id}`, { points }),
        ];
        expect(answers.map((answer) => [answer.status, answer.body.code, answer.body.params])).toEqual(
          answers.map(() => [422, 'imaging.mark_points', { count }]),
        );
      }
    }
    expect((await owner.get(path)).body.items).toHaveLength(6);
  });

  it('are saved by editors at their frame, and read by everybody who sees the study', async () => {
    const { study, series, firstObject } = house.make.study();
    const path = `/api/imaging/${study}/marks`;
    const measured = {
      ...{ value: 12.5, unit: 'mm', deviation: null, minimum: null, maximum: null, area: null, area_unit: null },
      is_at_detector: false,
    };
    const points = [
      [1, 2],
      [3, 4.5],
    ];
    const length = { series_id: series, index: 1, kind: 'length', points, measured, label: 'nodule' };
    const { status, body: made } = await owner.post(path, length);
    expect([status, made]).toEqual([201, expect.objectContaining({ ...length, study_id: study })]);
    await owner.post(path, { series_id: series, index: 0, kind: 'key_image' });
    const listed = (await house.as('reader').get(path)).body.items;
    expect(listed.map(({ index, kind }: typeof length) => [index, kind])).toEqual([
      [0, 'key_image'],
      [1, 'length'],
    ]);
    expect((await house.as('reader').post(path, length)).status).toBe(403);
    // An object that sorts before all others moves the frames, and the marks with them.
    const first = house.db.prepare('SELECT * FROM imaging_instances WHERE id = ?').get(firstObject) as object;
    const { id: _, ...columns } = first as { id: number };
    const earlier = {
      ...columns,
      sop_instance_uid: '9.9.9',
      file_name: 'earlier.dcm',
      instance_number: -5,
      position: -1e6,
      frames: 1,
    };
    const names = Object.keys(earlier);
    house.db
      .prepare(`INSERT INTO imaging_instances (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`)
      .run(earlier);
    const moved = (await owner.get(path)).body.items;
    expect(moved.map(({ index }: typeof length) => index)).toEqual([1, 2]);
  });

  it('are moved, named and removed, and refused where there is no such frame', async () => {
    const { study, mark } = house.make.studyMark();
    const path = `/api/imaging/${study}/marks`;
    const points = [
      [5, 5],
      [9, 5],
    ];
    expect((await owner.call('PATCH', `${path}/${mark}`, { points })).body).toMatchObject({ points, kind: 'length' });
    const named = await owner.call('PATCH', `${path}/${mark}`, { label: 'cyst' });
    expect(named.body).toMatchObject({ points, label: 'cyst' });
    expect((await owner.call('PATCH', `${path}/${mark}`, { label: null })).body.label).toBeNull();
    const { series_id } = named.body;
    const answers = [
      await owner.post(path, { series_id, index: 99, kind: 'key_image' }),
      await owner.post(path, { series_id: series_id + 1000, index: 0, kind: 'key_image' }),
      await owner.call('PATCH', `/api/imaging/${house.make.study().study}/marks/${mark}`, { label: 'x' }),
      await owner.post(path, { series_id, index: 0, kind: 'length', points: [['a', 1]] }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [404, 'imaging.frame_not_found'],
      [404, 'imaging.series_not_found'],
      [404, 'imaging.mark_not_found'],
      [422, 'request.invalid'],
    ]);
    expect((await owner.call('DELETE', `${path}/${mark}`)).body).toEqual({ status: 'deleted' });
    expect((await owner.get(path)).body.items).toEqual([]);
    expect((await owner.call('DELETE', `${path}/${mark}`)).status).toBe(404);
  });
});
