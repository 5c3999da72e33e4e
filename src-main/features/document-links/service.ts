import type { LinkType } from '../../../src-shared/contract/rows.ts';
import type { AccessRules } from '../../platform/access/access.ts';
import type { Database } from '../../platform/database/connection.ts';
import type { Documents } from '../documents/service.ts';
import type { UserCaller } from '../../platform/kernel/caller.ts';
import { toTimestamp, type Clock } from '../../platform/kernel/clock.ts';
import { fail } from '../../platform/kernel/errors.ts';
import { createLinkRepository, type LinkRow, type NamedLink } from './repository.ts';

export interface LinkDeps {
  db: Database;
  clock: Clock;
  access: AccessRules;
  documents: Pick<Documents, 'belonging' | 'episodes' | 'namings'>;
}

export type LinkService = ReturnType<typeof createLinks>;

/** Links between documents. Both ends show a link, but only to users who may see the other end. */
export function createLinks({ db, clock, access, documents }: LinkDeps) {
  const repository = createLinkRepository(db);

  /** The caller must be able to see and change the other document, because the link appears there too. */
  function requireTarget(id: number, user: UserCaller): void {
    const belonging = documents.belonging(id);
    if (!belonging || !access.may(user, 'read', belonging)) throw fail('document.not_found');
    if (!access.may(user, 'write', belonging)) throw fail('auth.read_only');
  }

  /** Links of a document with what names the others. */
  function withNamings(documentId: number, links: readonly LinkRow[]): NamedLink[] {
    const otherOf = (link: LinkRow): number =>
      link.source_document_id === documentId ? link.target_document_id : link.source_document_id;
    const namings = documents.namings(links.map(otherOf));
    return links.flatMap((link) => {
      const naming = namings.get(otherOf(link));
      return naming ? [{ ...link, ...naming }] : [];
    });
  }

  return {
    list: (documentId: number, user: UserCaller): { items: NamedLink[] } => ({
      items: withNamings(
        documentId,
        repository.of(documentId).filter((link) => access.may(user, 'read', link)),
      ),
    }),

    create(source: number, target: number, type: LinkType, user: UserCaller): NamedLink {
      requireTarget(target, user);
      if (source === target) throw fail('link.self_reference');
      const id = db.transaction(() => {
        if (repository.exists(source, target, type)) throw fail('link.exists');
        return repository.insert(source, target, type, toTimestamp(clock.now()));
      });
      documents.episodes.notifyChanged([source, target]);
      return withNamings(source, [repository.get(source, id) as LinkRow])[0] as NamedLink;
    },

    /** Removes a link from either end. A link whose other end the user may not see is not found. */
    remove(documentId: number, linkId: number, user: UserCaller): { ok: true; status: 'deleted'; link_id: number } {
      const link = repository.get(documentId, linkId);
      if (!link || !access.may(user, 'read', link)) throw fail('link.not_found');
      repository.remove(linkId);
      documents.episodes.notifyChanged([link.source_document_id, link.target_document_id]);
      return { ok: true, status: 'deleted', link_id: linkId };
    },
  };
}
