import { describe, expect, it } from 'vitest';
import { createLoading, indicesAround, MAX_REQUESTS, nearestLoaded, type Following } from './loading.ts';

const TOTAL = 300;
const imageIds = Array.from({ length: TOTAL }, (_, index) => `f${index}`);

/** A loader whose answers arrive when a test says so. */
function setUp(...inMemory: number[]) {
  const asked: string[] = [];
  const aborted: string[] = [];
  const loaded = new Set(inMemory.map((index) => `f${index}`));
  const coming = new Map<string, { resolve: () => void; reject: (error: unknown) => void }>();
  const loading = createLoading({
    load: (imageId) => {
      asked.push(imageId);
      return new Promise<void>((resolve, reject) => coming.set(imageId, { resolve, reject }));
    },
    abort(imageId) {
      aborted.push(imageId);
      coming.get(imageId)?.reject(new DOMException('aborted', 'AbortError'));
      coming.delete(imageId);
    },
    isLoaded: (imageId) => loaded.has(imageId),
  });
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return {
    ...{ asked, aborted, loaded, loading },
    inFlight: () => [...coming.keys()],
    async arrive(imageId: string) {
      loaded.add(imageId);
      coming.get(imageId)?.resolve();
      coming.delete(imageId);
      await settle();
    },
    async fail(imageId: string) {
      coming.get(imageId)?.reject(new Error('damaged'));
      coming.delete(imageId);
      await settle();
    },
    settle,
  };
}

const place = (index: number, shown: number | null, direction: 1 | -1 = 1): Following => ({
  ...{ imageIds, index, shown, direction, reach: 100 },
});
const nobody = { onLoaded: () => undefined, onFailed: () => undefined };

describe('loading frames of a stack', () => {
  it('asks for the wanted frame alone until a picture is seen, then for the ones ahead', async () => {
    const { asked, loading, arrive } = setUp();
    const pane = loading.join(nobody);
    pane.follow(place(150, null));
    expect(asked).toEqual(['f150']);
    await arrive('f150');
    expect(asked).toEqual(['f150']);
    pane.follow(place(150, 150));
    expect(asked).toEqual(['f150', 'f151', 'f149', 'f152', 'f153']);
  });

  it('has a few requests at a time, and the wanted frame is the next one', async () => {
    const { asked, loading, arrive, inFlight, settle } = setUp(10);
    const pane = loading.join(nobody);
    pane.follow(place(10, 10));
    for (let index = 11; index < 14; index += 1) pane.follow(place(index, 10));
    expect(inFlight()).toHaveLength(MAX_REQUESTS);
    pane.follow(place(20, 10));
    await settle();
    await arrive('f11');
    await arrive('f12');
    expect(asked.slice(MAX_REQUESTS)).toEqual(['f20', 'f21', 'f19']);
  });

  it('drops no frame on the way to the wanted one, so that fast scrolling does not starve', async () => {
    const { aborted, loading, inFlight, settle } = setUp(10);
    const pane = loading.join(nobody);
    for (let index = 10; index < 120; index += 1) pane.follow(place(index, 10));
    await settle();
    expect(aborted).toEqual(['f9']);
    expect(inFlight()).toEqual(['f11', 'f12', 'f13', 'f119']);
  });

  it('drops what the picture that is seen has passed', async () => {
    const { aborted, loading, arrive, settle } = setUp(10);
    const pane = loading.join(nobody);
    pane.follow(place(10, 10));
    await arrive('f11');
    pane.follow(place(40, 10));
    await arrive('f40');
    pane.follow(place(40, 40));
    await settle();
    expect(aborted).toEqual(expect.arrayContaining(['f12', 'f13']));
    expect(aborted).not.toContain('f41');
  });

  it('keeps what a slider waited for when it goes on, and drops what was fetched ahead', async () => {
    const { aborted, loading, settle, inFlight } = setUp(10);
    const pane = loading.join(nobody);
    pane.follow(place(10, 10));
    pane.follow(place(100, 10));
    await settle();
    expect(aborted).toEqual(['f11', 'f9', 'f12', 'f13']);
    pane.follow(place(200, 10));
    await settle();
    expect(inFlight()).toContain('f100');
    expect(inFlight()).toContain('f200');
  });

  it('asks once at a place for a frame that fails or does not stay in memory', async () => {
    const { asked, loading, fail, arrive, loaded } = setUp();
    const failures: string[] = [];
    const pane = loading.join({ ...nobody, onFailed: (imageId) => failures.push(imageId) });
    pane.follow(place(0, null));
    await fail('f0');
    expect([asked, failures]).toEqual([['f0'], ['f0']]);
    pane.follow({ ...place(0, null), imageIds: [...imageIds] });
    expect(asked).toEqual(['f0', 'f0']);
    await arrive('f0');
    loaded.clear();
    pane.follow(place(0, 0));
    expect(asked.filter((imageId) => imageId === 'f0')).toHaveLength(3);
  });

  it('loads the wanted frames of all panes before what is around them', () => {
    const { asked, loading } = setUp();
    loading.join(nobody).follow(place(10, 9));
    const other = Array.from({ length: TOTAL }, (_, index) => `g${index}`);
    loading.join(nobody).follow({ ...place(20, 19), imageIds: other });
    expect(asked.slice(0, 5)).toEqual(['f10', 'f11', 'f9', 'f12']);
  });
});

describe('indices to prefetch', () => {
  it('lie mostly ahead, within the stack, and not more than memory bears', () => {
    const around = (index: number, direction: 1 | -1, reach = 100) =>
      indicesAround({ index, total: TOTAL, direction, reach });
    expect(around(0, 1)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(around(298, 1)).toEqual([299, 297, 296, 295, 294]);
    expect(around(100, -1).slice(0, 5)).toEqual([99, 101, 98, 97, 96]);
    expect(around(100, 1, 1)).toEqual([101, 99]);
    expect(around(100, 1, 0)).toEqual([]);
  });
});

describe('the nearest frame in memory', () => {
  const has = (...indices: number[]) => {
    const names = new Set(indices.map((index) => imageIds[index]));
    return (imageId: string) => names.has(imageId);
  };
  it('is one on the way from the picture that is seen to the wanted one', () => {
    expect(nearestLoaded(place(20, 10), has(14, 17, 40))).toBe(17);
    expect(nearestLoaded(place(20, 10), has(14, 21))).toBe(14);
    expect(nearestLoaded(place(20, 30), has(14, 19, 24))).toBe(24);
    expect(nearestLoaded(place(20, 17), has(14, 40))).toBeNull();
    expect(nearestLoaded(place(20, null), has(290))).toBe(290);
    expect(nearestLoaded(place(20, 20), has(20))).toBeNull();
  });
});
