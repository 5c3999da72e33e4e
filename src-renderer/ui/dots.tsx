export type DotState = 'done' | 'now' | 'waiting' | 'failed';

/** Progress through named steps, one bar per step; `label` describes it. */
export function Dots({ states, label }: { states: readonly DotState[]; label: string }) {
  return (
    <span className="dots" role="img" aria-label={label}>
      {states.map((state, index) => (
        <i key={index} data-state={state} />
      ))}
    </span>
  );
}

/** The states of a job's planned stages: done, current, pending. */
export function dotStates(planned: readonly string[], done: readonly string[], current: string | null): DotState[] {
  return planned.map((stage) => {
    if (stage === current) return 'now';
    return done.includes(stage) ? 'done' : 'waiting';
  });
}

/** A thin bar; `share` 0–1. */
export function Meter({ share, label }: { share: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div
      className="meter"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ width: `${percent}%` }} />
    </div>
  );
}
