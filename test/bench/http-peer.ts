/**
 * The peer of `npm run bench http`: a bare Express app on the database of the vault. Each request runs the statements
 * of its path, prepared once, and writes the reply of the product as JSON: no access check, no validation, no session.
 */
import express from 'express';
import Sqlite from 'better-sqlite3';

/** A statement with its values. */
export type Query = readonly [sql: string, ...values: (string | number)[]];
export interface PeerRoute {
  path: string;
  queries: readonly Query[];
  /** The reply of the product. */
  reply: string;
}
export interface PeerOptions {
  database: string;
  routes: readonly PeerRoute[];
}

process.once('message', ({ database, routes }: PeerOptions) => {
  const sqlite = new Sqlite(database, { readonly: true });
  // The cache of the product's connection.
  sqlite.pragma('cache_size = -32000');
  const app = express();
  for (const { path, queries, reply } of routes) {
    const statements = queries.map(([sql, ...values]) => ({ statement: sqlite.prepare(sql), values }));
    const body = JSON.parse(reply) as unknown;
    app.get(path, (_req, res) => {
      for (const { statement, values } of statements) statement.all(...values);
      res.setHeader('Content-Type', 'application/json; charset=utf-8');
      res.end(JSON.stringify(body));
    });
  }
  const server = app.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : '');
  });
});
