import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { documents } from './documents.ts';

/** Documents whose passages have vectors. A trigger deletes the row when the pages change. */
export const document_vectors = sqliteTable(
  'document_vectors',
  {
    document_id: integer('document_id')
      .primaryKey()
      .references(() => documents.id, { onDelete: 'cascade' }),
    /** `ollama nomic-embed-text`: vectors of different models can't be compared. */
    model: text('model').notNull(),
    /** Null while they are made. */
    passages: integer('passages'),
  },
  (t) => [index('document_vectors_model').on(t.model)],
);

/** A passage: lines of a page, by their numbers. Its vector has one signed byte for each dimension. */
export const passage_vectors = sqliteTable(
  'passage_vectors',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    document_id: integer('document_id')
      .notNull()
      .references(() => document_vectors.document_id, { onDelete: 'cascade' }),
    page: integer('page').notNull(),
    first_line: integer('first_line').notNull(),
    last_line: integer('last_line').notNull(),
    vector: blob('vector', { mode: 'buffer' }).notNull(),
  },
  (t) => [index('passage_vectors_document').on(t.document_id)],
);
