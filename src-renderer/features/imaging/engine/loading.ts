/** Frames that are fetched in the direction of scrolling, and in the other one. */
const AHEAD = 12;
const BEHIND = 4;
/** The core draws two frames at once; two more are on their way. */
export const MAX_REQUESTS = 4;

/** Where a pane is in its stack. */
export interface Following {
  imageIds: readonly string[];
  /** The frame that is wanted. */
  index: number;
  direction: 1 | -1;
  /** The frame that is seen; null before the first one. */
  shown: number | null;
  /** Frames that may be fetched around the wanted one: large ones would drive each other out of memory. */
  reach: number;
}

export interface Follower {
  /** Loads what the pane wants, then what is around it, instead of what it wanted before. */
  follow(following: Following): void;
  leave(): void;
}

interface Listener {
  onLoaded(): void;
  onFailed(imageId: string, error: unknown): void;
}

interface LoadingDeps {
  load(imageId: string): Promise<unknown>;
  /** Makes `load` fail soon. */
  abort(imageId: string): void;
  isLoaded(imageId: string): boolean;
}

/** Loads frames for panes that are scrolled, a few at a time. */
interface Loading {
  join(listener: Listener): Follower;
}

interface Member extends Listener {
  following: Following | null;
  /** Frames that were asked for at this place: what the memory can't keep is not asked for again and again. */
  tried: Set<string>;
}
interface Request {
  /** Whether somebody waited for this frame when it was asked for. */
  wasWanted: boolean;
  isAborted: boolean;
}

/** Frames of several panes share the requests: the wanted one of each first, then the nearest ones. */
export function createLoading({ load, abort, isLoaded }: LoadingDeps): Loading {
  const members = new Set<Member>();
  const running = new Map<string, Request>();
  const failed = new Set<string>();

  function drop(imageId: string, request: Request): void {
    if (request.isAborted) return;
    request.isAborted = true;
    abort(imageId);
  }

  function start(imageId: string, isWanted: boolean): void {
    const request = { wasWanted: isWanted, isAborted: false };
    running.set(imageId, request);
    for (const member of members) member.tried.add(imageId);
    load(imageId)
      .then(
        () => {
          failed.delete(imageId);
          running.delete(imageId);
          for (const member of members) member.onLoaded();
        },
        (error: unknown) => {
          running.delete(imageId);
          // It was dropped, and may be wanted again by now.
          if (request.isAborted) return members.forEach(({ tried }) => tried.delete(imageId));
          failed.add(imageId);
          for (const member of members) member.onFailed(imageId, error);
        },
      )
      .finally(pump);
  }

  function pump(): void {
    const followings = [...members].map(({ following }) => following).filter((following) => following !== null);
    const near = nearestOf(followings);
    for (const [imageId, request] of running)
      if (!near.has(imageId) && !followings.some((following) => isOnTheWay(imageId, following))) drop(imageId, request);
    const wanted = new Set(followings.map(({ imageIds, index }) => imageIds[index]));
    for (const imageId of near) {
      if (running.size >= MAX_REQUESTS) return;
      const isTried = [...members].every(({ tried }) => tried.has(imageId));
      if (running.has(imageId) || isTried || isLoaded(imageId)) continue;
      if (wanted.has(imageId) || !failed.has(imageId)) start(imageId, wanted.has(imageId));
    }
  }

  return {
    join(listener) {
      const member: Member = { ...listener, following: null, tried: new Set() };
      members.add(member);
      return {
        follow(next) {
          const before = member.following;
          member.following = next;
          const isSameStack = before?.imageIds === next.imageIds;
          if (!isSameStack || before.index !== next.index) member.tried.clear();
          // A jump makes what was fetched on the way useless, but not what somebody waited for: sliders only jump.
          if (isSameStack && Math.abs(before.index - next.index) > AHEAD)
            for (const [imageId, request] of running)
              if (!request.wasWanted && before.imageIds.includes(imageId)) drop(imageId, request);
          pump();
        },
        leave() {
          members.delete(member);
          pump();
        },
      };
    },
  };
}

/** The frames that panes need, the most urgent first; before its first picture, a pane needs only that. */
function nearestOf(followings: readonly Following[]): Set<string> {
  const lists = followings.map(({ imageIds, index, direction, shown, reach }) => {
    const around = shown === null ? [] : indicesAround({ index, total: imageIds.length, direction, reach });
    return [index, ...around].map((near) => imageIds[near]).filter((imageId) => imageId !== undefined);
  });
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const ranks = Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => list[rank] ?? []));
  return new Set(ranks.flat());
}

/** Whether a frame is on the way from the one that is seen to the wanted one. */
function isOnTheWay(imageId: string, { imageIds, index, shown }: Following): boolean {
  const at = imageIds.indexOf(imageId);
  if (at < 0 || shown === null) return at >= 0;
  return at !== shown && Math.min(shown, index) <= at && at <= Math.max(shown, index);
}

/** The indices around the wanted one that are fetched, the nearest first; twice as many as `reach` at most. */
export function indicesAround({
  index,
  total,
  direction,
  reach,
}: {
  index: number;
  total: number;
  direction: 1 | -1;
  reach: number;
}): number[] {
  const steps = (count: number): number[] => Array.from({ length: Math.min(reach, count) }, (_, step) => step);
  const ahead = steps(AHEAD).map((step) => ({ index: index + direction * (step + 1), far: step }));
  const behind = steps(BEHIND).map((step) => ({ index: index - direction * (step + 1), far: step * 3 }));
  return [...ahead, ...behind]
    .sort((a, b) => a.far - b.far)
    .map((candidate) => candidate.index)
    .filter((candidate) => candidate >= 0 && candidate < total);
}

/**
 * The frame in memory that is nearest to the wanted one on the way to it: pictures beyond it would move back again.
 * Null if none is nearer than the one that is seen.
 */
export function nearestLoaded(
  { imageIds, index, shown }: Pick<Following, 'imageIds' | 'index' | 'shown'>,
  isLoaded: (imageId: string) => boolean,
): number | null {
  const farthest = shown === null ? imageIds.length : Math.abs(shown - index);
  const sides = shown === null ? [-1, 1] : [Math.sign(shown - index)];
  for (let far = 0; far < farthest; far += 1)
    for (const at of sides.map((side) => index + side * far))
      if (imageIds[at] !== undefined && isLoaded(imageIds[at])) return at;
  return null;
}
