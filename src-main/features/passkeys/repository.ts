import { and, desc, eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { passkeys, users } from '../../platform/database/schema/index.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';

export type PasskeyRepository = ReturnType<typeof createPasskeyRepository>;

/** Reads and writes passkeys. */
export const createPasskeyRepository = (db: Database) =>
  bindFirst(db, { existFor, ofUser, ofCredential, get, insert, noteUse, rename, remove });

const LISTED = {
  id: passkeys.id,
  name: passkeys.name,
  rp_id: passkeys.rp_id,
  synced: passkeys.synced,
  created_at: passkeys.created_at,
  last_used_at: passkeys.last_used_at,
};

const isOf = (id: number, userId: number) => and(eq(passkeys.id, id), eq(passkeys.user_id, userId));

const existFor = ({ orm }: Database, rpId: string): boolean =>
  orm.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.rp_id, rpId)).limit(1).get() !== undefined;

const ofUser = ({ orm }: Database, userId: number) =>
  orm
    .select({
      ...LISTED,
      credential_id: passkeys.credential_id,
      transports: passkeys.transports,
      user_handle: passkeys.user_handle,
    })
    .from(passkeys)
    .where(eq(passkeys.user_id, userId))
    .orderBy(desc(passkeys.id))
    .all();

/** A passkey with its user. */
const ofCredential = ({ orm }: Database, credentialId: string) =>
  orm
    .select({
      passkey: passkeys,
      user: { id: users.id, username: users.username, displayName: users.display_name, role: users.role },
    })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.user_id))
    .where(eq(passkeys.credential_id, credentialId))
    .get();

const get = ({ orm }: Database, id: number, userId: number) =>
  orm.select(LISTED).from(passkeys).where(isOf(id, userId)).get();

/** Returns null if the credential is stored already. */
const insert = ({ orm }: Database, values: typeof passkeys.$inferInsert): number | null =>
  orm.insert(passkeys).values(values).onConflictDoNothing().returning({ id: passkeys.id }).get()?.id ?? null;

/** False if the counter has changed since it was read: another sign-in with the same answer was faster. */
const noteUse = (
  { orm }: Database,
  { id, counter }: { id: number; counter: number },
  use: { counter: number; synced: boolean; last_used_at: string },
): boolean =>
  orm
    .update(passkeys)
    .set(use)
    .where(and(eq(passkeys.id, id), eq(passkeys.counter, counter)))
    .run().changes > 0;

const rename = ({ orm }: Database, id: number, userId: number, name: string): boolean =>
  orm.update(passkeys).set({ name }).where(isOf(id, userId)).run().changes > 0;

const remove = ({ orm }: Database, id: number, userId: number): boolean =>
  orm.delete(passkeys).where(isOf(id, userId)).run().changes > 0;
