import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../platform/database/connection.ts';
import { settings, view_preferences } from '../../platform/database/schema/index.ts';

export interface ViewPreferences {
  visible: string[];
  order: string[];
}

export type SettingsRepository = ReturnType<typeof createSettingsRepository>;

export function createSettingsRepository({ orm }: Database) {
  return {
    all: () => orm.select({ key: settings.key, value: settings.value }).from(settings).all(),
    put: (key: string, value: unknown, now: string) =>
      orm
        .insert(settings)
        .values({ key, value, updated_at: now })
        .onConflictDoUpdate({ target: settings.key, set: { value, updated_at: now } })
        .run(),
    remove: (keys: string[]) => orm.delete(settings).where(inArray(settings.key, keys)).run(),
    viewPreferences: (userId: number, viewKey: string): ViewPreferences | undefined =>
      orm
        .select()
        .from(view_preferences)
        .where(and(eq(view_preferences.user_id, userId), eq(view_preferences.view_key, viewKey)))
        .get()?.preferences,
    putViewPreferences: (userId: number, viewKey: string, preferences: ViewPreferences) =>
      orm
        .insert(view_preferences)
        .values({ user_id: userId, view_key: viewKey, preferences })
        .onConflictDoUpdate({ target: [view_preferences.user_id, view_preferences.view_key], set: { preferences } })
        .run(),
  };
}
