import type { ArtifactName, Artifacts, Stage, StageName, Tools } from './stage.ts';
import type { Outcome } from '../providers/provider.ts';

/** A stage without its types, as the loop needs it. */
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
  /** Artifacts that must exist before the first step. */
  inputs: readonly ArtifactName[];
  steps: readonly Step[];
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- inference over a heterogeneous list
type SomeStage = Stage<any, any>;

/** The list itself if the needs of each stage are met by earlier ones, otherwise a list that names the error. */
type InOrder<Stages extends readonly SomeStage[], Have extends ArtifactName> = Stages extends readonly [
  Stage<infer Needs, infer Makes>,
  ...infer Rest extends readonly SomeStage[],
]
  ? [Needs] extends [Have]
    ? readonly [Stages[0], ...InOrder<Rest, Have | Makes>]
    : readonly [`needs ${Exclude<Needs, Have>} before it`]
  : readonly [];

/** A list of stages. It compiles only if each stage comes after those it depends on. */
export function flow<const Given extends ArtifactName, const Stages extends readonly SomeStage[]>(
  inputs: readonly Given[],
  stages: Stages & InOrder<Stages, Given>,
): Flow {
  return { inputs, steps: (stages as readonly SomeStage[]).map(toStep) };
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
