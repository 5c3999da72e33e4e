import { customType, integer } from 'drizzle-orm/sqlite-core';

/** SQLite has no boolean; 0 and 1 are read as false and true. */
export const flag = (name: string) => integer(name, { mode: 'boolean' });

/** JSON text; `null` stays null. */
export const json = <T>(name: string) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (text) => JSON.parse(text) as T,
  })(name);
