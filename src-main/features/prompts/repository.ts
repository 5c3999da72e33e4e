import { eq } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { prompts } from '../../platform/database/schema/index.ts';

/** Prompts that an administrator has changed. */
export function createPromptRepository({ orm }: Database) {
  return {
    all: () => orm.select().from(prompts).all(),
    put: (key: string, text: string, now: string) =>
      orm
        .insert(prompts)
        .values({ key, text, updated_at: now })
        .onConflictDoUpdate({ target: prompts.key, set: { text, updated_at: now } })
        .run(),
    remove: (key: string) => orm.delete(prompts).where(eq(prompts.key, key)).run(),
  };
}
