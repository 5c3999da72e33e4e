import type { ArtifactName, Artifacts, Stage, StageName, Tools } from './stage.ts';
import type { Outcome } from '../providers/provider.ts';

/** A stage without its types: what a loop needs. */
export interface Step {
  name: StageName;
  version: number;
  needs: readonly ArtifactName[];
  makes: readonly ArtifactName[];
  skip(input: Partial<Artifacts>): Partial<Artifacts> | null;
  run(input: Partial<Artifacts>, tools: Tools): Promise<Outcome<Partial<Artifacts>>>;
  onFailure: 'stop' | 'go_on';
}

export interface Flow {
  /** Artifacts that must be there before the first step. */
  given: readonly ArtifactName[];
  steps: readonly Step[];
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- inference over a heterogeneous list
type SomeStage = Stage<any, any>;

/** The list itself where each stage finds what it needs before it, else a list that names the fault. */
type InOrder<Stages extends readonly SomeStage[], Have extends ArtifactName> = Stages extends readonly [
  Stage<infer Needs, infer Makes>,
  ...infer Rest extends readonly SomeStage[],
]
  ? [Needs] extends [Have]
    ? readonly [Stages[0], ...InOrder<Rest, Have | Makes>]
    : readonly [`needs ${Exclude<Needs, Have>} before it`]
  : readonly [];

/** A list of stages; putting one before what it needs does not compile. */
export function flow<const Given extends ArtifactName, const Stages extends readonly SomeStage[]>(
  given: readonly Given[],
  stages: Stages & InOrder<Stages, Given>,
): Flow {
  return { given, steps: (stages as readonly SomeStage[]).map(toStep) };
}

function toStep(stage: SomeStage): Step {
  const pick = (input: Partial<Artifacts>): Artifacts => {
    for (const name of stage.needs as readonly ArtifactName[])
      if (!(name in input)) throw new Error(`${stage.name} lacks ${name}`);
    return Object.fromEntries(
      (stage.needs as readonly ArtifactName[]).map((name) => [name, input[name]]),
    ) as unknown as Artifacts;
  };
  return {
    name: stage.name,
    version: stage.version,
    needs: stage.needs,
    makes: stage.makes,
    onFailure: stage.onFailure ?? 'stop',
    skip: (input) => stage.skip?.(pick(input)) ?? null,
    run: (input, tools) => stage.run(pick(input), tools),
  };
}
