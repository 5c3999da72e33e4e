import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import type { IMPORT_ITEM_STATUSES } from '../../../src-shared/contract/archive-imports.ts';
import { bindFirst } from '../../platform/kernel/bind-first.ts';
import type { Database } from '../../platform/database/connection.ts';
import { archive_import_items, archive_imports } from '../../platform/database/schema/index.ts';

export type { DocumentDetails, ImportDetails } from '../../platform/database/schema/index.ts';
export type ImportRow = typeof archive_imports.$inferSelect;
export type ItemRow = typeof archive_import_items.$inferSelect;
export type ItemStatus = (typeof IMPORT_ITEM_STATUSES)[number];
/** An item as planned. */
export type NewItem = Omit<typeof archive_import_items.$inferInsert, 'id' | 'import_id'>;

export type ImportRepository = ReturnType<typeof createImportRepository>;

/** Imports and their items. */
export const createImportRepository = (db: Database) =>
  bindFirst(db, {
    insert: insertImport,
    get: findImport,
    ofPatients: listOfPatients,
    withStatus: listWithStatus,
    unfinished: findUnfinished,
    set: updateImport,
    remove: removeImport,
    addItems,
    items: listItems,
    page: pageOfItems,
    setItem,
    counts: countItems,
    values: countValues,
  });

const insertImport = ({ orm }: Database, values: typeof archive_imports.$inferInsert): ImportRow =>
  orm.insert(archive_imports).values(values).returning().get();

const findImport = ({ orm }: Database, id: number): ImportRow | undefined =>
  orm.select().from(archive_imports).where(eq(archive_imports.id, id)).get();

const listOfPatients = ({ orm }: Database, patientIds: number[]): ImportRow[] =>
  orm
    .select()
    .from(archive_imports)
    .where(inArray(archive_imports.patient_id, patientIds))
    .orderBy(desc(archive_imports.id))
    .limit(MAX_LISTED)
    .all();
const MAX_LISTED = 100;

const listWithStatus = ({ orm }: Database, statuses: ImportRow['status'][]): ImportRow[] =>
  orm.select().from(archive_imports).where(inArray(archive_imports.status, statuses)).all();

/** The latest import of this source into the record that has not ended. */
const findUnfinished = ({ orm }: Database, source: string, patientId: number): ImportRow | undefined =>
  orm
    .select()
    .from(archive_imports)
    .where(
      and(
        eq(archive_imports.source, source),
        eq(archive_imports.patient_id, patientId),
        inArray(archive_imports.status, ['scanning', 'ready', 'running', 'stopped']),
      ),
    )
    .orderBy(desc(archive_imports.id))
    .get();

const updateImport = ({ orm }: Database, id: number, values: Partial<typeof archive_imports.$inferInsert>): void =>
  void orm.update(archive_imports).set(values).where(eq(archive_imports.id, id)).run();

const removeImport = ({ orm }: Database, id: number): void =>
  void orm.delete(archive_imports).where(eq(archive_imports.id, id)).run();

function addItems(db: Database, importId: number, items: readonly NewItem[]): void {
  db.transaction(() => {
    for (const item of items)
      db.orm
        .insert(archive_import_items)
        .values({ ...item, import_id: importId })
        .run();
  });
}

const listItems = ({ orm }: Database, importId: number, statuses: ItemStatus[]): ItemRow[] =>
  orm
    .select()
    .from(archive_import_items)
    .where(and(eq(archive_import_items.import_id, importId), inArray(archive_import_items.status, statuses)))
    .orderBy(asc(archive_import_items.id))
    .all();

const pageOfItems = (
  { orm }: Database,
  importId: number,
  { status, limit, offset }: { status?: ItemStatus | undefined; limit: number; offset: number },
): { items: ItemRow[]; total: number } => {
  const where = and(
    eq(archive_import_items.import_id, importId),
    ...(status === undefined ? [] : [eq(archive_import_items.status, status)]),
  );
  const items = orm
    .select()
    .from(archive_import_items)
    .where(where)
    .orderBy(asc(archive_import_items.id))
    .limit(limit)
    .offset(offset)
    .all();
  const total = orm
    .select({ n: sql<number>`count(*)` })
    .from(archive_import_items)
    .where(where)
    .get();
  return { items, total: total?.n ?? 0 };
};

const setItem = ({ orm }: Database, id: number, values: Partial<typeof archive_import_items.$inferInsert>): void =>
  void orm.update(archive_import_items).set(values).where(eq(archive_import_items.id, id)).run();

/** Numbers of items by status; kinds of data without a place are counted as one item each. */
const countItems = ({ orm }: Database, importId: number): Partial<Record<ItemStatus, number>> =>
  Object.fromEntries(
    orm
      .select({ status: archive_import_items.status, n: sql<number>`count(*)` })
      .from(archive_import_items)
      .where(eq(archive_import_items.import_id, importId))
      .groupBy(archive_import_items.status)
      .all()
      .map(({ status, n }) => [status, n]),
  );

/** Values of measurements and clinical records that are planned or stored. */
const countValues = ({ orm }: Database, importId: number): number =>
  orm
    .select({ n: sql<number | null>`sum(count)` })
    .from(archive_import_items)
    .where(
      and(
        eq(archive_import_items.import_id, importId),
        eq(archive_import_items.kind, 'measurements'),
        inArray(archive_import_items.status, ['waiting', 'stored', 'known']),
      ),
    )
    .get()?.n ?? 0;
