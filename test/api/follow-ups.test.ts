import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import type { Household } from '../support/household.ts';
import { test } from '../support/fixtures.ts';

let house: Household;
let owner: Client;
test.beforeAll(async ({ household }) => {
  house = household;
  owner = house.as('owner');
});

const DAY_MS = 86_400_000;
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

/** Adds an encounter with a follow-up so many days from today. */
async function add(offset: number): Promise<number> {
  const body = { document_id: house.make.document(), follow_up_date: day(offset), follow_up_instructions: `${offset}` };
  return (await owner.post('/api/encounters', body)).body.id;
}
const change = (id: number, body: object) => owner.call('PATCH', `/api/encounters/${id}`, body);
async function shown(): Promise<string[]> {
  const { body } = await owner.get(`/api/today?patient_id=${house.patient}`);
  expect(body.follow_up_total).toBe(body.follow_ups.length);
  return body.follow_ups.map((one: { follow_up_instructions: string }) => one.follow_up_instructions);
}

describe('follow-ups', () => {
  it('are shown without a horizon, the nearest first, until they are done', async () => {
    const ids = new Map<number, number>();
    for (const offset of [900, 3, -400, -5, 80]) ids.set(offset, await add(offset));
    expect(await shown()).toEqual(['3', '-5', '80', '-400', '900']);

    const near = Number(ids.get(3));
    const done = await change(near, { follow_up_done_date: day(0) });
    expect(done.body).toMatchObject({ follow_up_done_date: day(0), follow_up_date: day(3) });
    expect(await shown()).toEqual(['-5', '80', '-400', '900']);
    await change(near, { follow_up_done_date: null });
    expect(await shown()).toEqual(['3', '-5', '80', '-400', '900']);

    await change(Number(ids.get(900)), { follow_up_date: day(1) });
    expect(await shown()).toEqual(['900', '3', '-5', '80', '-400']);
  });

  it('are all listed for the calendar, and twenty on Today', async () => {
    house.make.use(house.make.patient());
    const patient = Number((await owner.get('/api/patients')).body.at(-1).id);
    house.make.use(patient);
    for (let offset = 1; offset <= 23; offset += 1) await add(offset);
    const listed = async (query: string): Promise<[number, number]> => {
      const { body } = await owner.get(`/api/today?patient_id=${patient}${query}`);
      return [body.follow_ups.length, body.follow_up_total];
    };
    expect(await listed('')).toEqual([20, 23]);
    expect(await listed('&follow_ups=5000')).toEqual([23, 23]);
    house.make.use(house.patient);
  });

  it('are shown only to users who may read the patient', async () => {
    const body = (await house.as('other').get('/api/today')).body;
    expect(body.follow_ups).toEqual([]);
    expect(body.follow_up_total).toBe(0);
  });
});
