import type { Database } from '../../platform/database/connection.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { SuggestionDeps } from './asking.ts';
import { proposeEdit } from './edit-proposal.ts';
import { proposeEvent } from './event-proposal.ts';
import { proposeFilename } from './filename-proposal.ts';
import { proposeLinks } from './link-proposals.ts';
import { createSuggestionRepository } from './repository.ts';

export type Suggestions = ReturnType<typeof createSuggestions>;

/** What a language model proposes. It is given one patient's data only, and nothing is stored before a person decides. */
export const createSuggestions = ({ db, ...deps }: Omit<SuggestionDeps, 'repository'> & { db: Database }) =>
  bindFirst(
    { ...deps, repository: createSuggestionRepository(db) },
    { edit: proposeEdit, filename: proposeFilename, links: proposeLinks, event: proposeEvent },
  );
