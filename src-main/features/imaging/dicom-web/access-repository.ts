import { and, desc, eq } from 'drizzle-orm';
import type { Database } from '../../../platform/database/connection.ts';
import { users, viewer_accesses } from '../../../platform/database/schema/index.ts';
import { bindFirst } from '../../../platform/kernel/bind-first.ts';

export type AccessRepository = ReturnType<typeof createAccessRepository>;

/** Reads and writes the tokens of imaging viewers. */
export const createAccessRepository = (db: Database) =>
  bindFirst(db, { ofUser, insert, remove, withHash, noteUse, knowsOrigin });

const LISTED = {
  id: viewer_accesses.id,
  name: viewer_accesses.name,
  origins: viewer_accesses.origins,
  created_at: viewer_accesses.created_at,
  last_used_at: viewer_accesses.last_used_at,
};

const ofUser = ({ orm }: Database, userId: number) =>
  orm
    .select(LISTED)
    .from(viewer_accesses)
    .where(eq(viewer_accesses.user_id, userId))
    .orderBy(desc(viewer_accesses.id))
    .all();

const insert = ({ orm }: Database, values: typeof viewer_accesses.$inferInsert): number =>
  orm.insert(viewer_accesses).values(values).returning({ id: viewer_accesses.id }).get().id;

const remove = ({ orm }: Database, id: number, userId: number): boolean =>
  orm
    .delete(viewer_accesses)
    .where(and(eq(viewer_accesses.id, id), eq(viewer_accesses.user_id, userId)))
    .run().changes > 0;

/** A token with its user. */
const withHash = ({ orm }: Database, hash: string) =>
  orm
    .select({
      ...LISTED,
      user_id: viewer_accesses.user_id,
      username: users.username,
      display_name: users.display_name,
      role: users.role,
    })
    .from(viewer_accesses)
    .innerJoin(users, eq(users.id, viewer_accesses.user_id))
    .where(eq(viewer_accesses.token_hash, hash))
    .get();

const noteUse = ({ orm }: Database, id: number, now: string): void =>
  void orm.update(viewer_accesses).set({ last_used_at: now }).where(eq(viewer_accesses.id, id)).run();

const knowsOrigin = (db: Database, origin: string): boolean =>
  db.prepare('SELECT 1 FROM viewer_accesses AS a, json_each(a.origins) AS o WHERE o.value = ? LIMIT 1').get(origin) !==
  undefined;
