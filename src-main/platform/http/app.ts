import express, { type Express, type RequestHandler } from 'express';
import compression from 'compression';
import { fail } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { createBareApp } from './bare-app.ts';
import { isForwarded, isLoopback } from './client-address.ts';
import { answerErrors, PLAIN_STATUSES } from './errors.ts';
import { originOf, requireKnownHost } from './origin.ts';

/** What the pages load. */
const CONTENT_SECURITY_POLICY = {
  defaultSrc: ["'self'"],
  imgSrc: ["'self'", 'blob:', 'data:'],
  mediaSrc: ["'self'", 'blob:'],
  styleSrc: ["'self'", "'unsafe-inline'"],
  scriptSrc: ["'self'"],
  workerSrc: ["'self'", 'blob:'],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
};

/**
 * Workers have a separate policy: SQLite, PDFium and the HEIC decoder are WebAssembly, which pages must not
 * compile.
 */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

export interface AppOptions {
  publicHost: string;
  /** Decide before anything else whether a request is answered. */
  guards: RequestHandler[];
  routers: RequestHandler[];
  /** Folder of the built user interface; null serves only the API. */
  rendererFolder: string | null;
  log: Log;
}

/** Creates the Express application without knowing any feature. */
export function createApp({ publicHost, guards, routers, rendererFolder, log }: AppOptions): Express {
  const app = createBareApp(CONTENT_SECURITY_POLICY, (req) => originOf(req).startsWith('https:'));
  app.use((_req, res, next) => {
    res.setHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(self)');
    next();
  });
  app.use(requireKnownHost(publicHost));
  for (const guard of guards) app.use(guard);
  app.use(['/api', '/health'], (_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use(compressForOthers());
  app.use(express.json({ limit: '1mb' }));
  for (const router of routers) app.use(router);
  app.use(['/api', '/health'], () => {
    throw fail('request.not_found');
  });
  if (rendererFolder) serveRenderer(app, rendererFolder);
  app.use(() => {
    throw fail('request.not_found');
  });
  app.use(answerErrors(log));
  return app;
}

/**
 * Compresses replies, except to programs on this computer: compressing takes longer there than sending. A request that
 * a proxy on this computer forwarded comes from elsewhere.
 */
function compressForOthers(): RequestHandler {
  const compress = compression({
    filter: (req, res) =>
      res.statusCode !== 206 &&
      !String(res.getHeader('Content-Type')).startsWith('text/event-stream') &&
      compression.filter(req, res),
  });
  return (req, res, next) =>
    isLoopback(req.socket.remoteAddress ?? '') && !isForwarded(req) ? next() : compress(req, res, next);
}

/**
 * Creates the application of the phone-backup service, without pages and cookies. `requireToken` runs before any other
 * part of a request is read.
 */
export function createPhoneApp({
  router,
  requireToken,
  log,
}: {
  router: RequestHandler;
  requireToken: RequestHandler;
  log: Log;
}): Express {
  const app = createBareApp({ defaultSrc: ["'none'"], frameAncestors: ["'none'"] }, () => false);
  app.use(requireKnownHost(''));
  app.use((_req, res, next) => {
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  app.use(requireToken);
  app.use(express.json({ limit: '1mb' }));
  app.use(router);
  app.use(() => {
    throw fail('request.not_found');
  });
  app.use(answerErrors(log, PLAIN_STATUSES));
  return app;
}

/** Serves the files of the user interface; every other address is one of its pages. */
function serveRenderer(app: Express, folder: string): void {
  app.use(
    express.static(folder, {
      index: false,
      setHeaders: (res, path) => {
        res.setHeader(
          'Cache-Control',
          /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
        if (/[\\/]assets[\\/]worker-[^\\/]+\.js$/.test(path)) res.setHeader('Content-Security-Policy', WORKER_POLICY);
      },
    }),
  );
  app.get(/^\/(?!api(\/|$)|health$|assets\/).*/, (_req, res) => {
    res.setHeader('Cache-Control', 'no-cache');
    res.sendFile('index.html', { root: folder });
  });
}
