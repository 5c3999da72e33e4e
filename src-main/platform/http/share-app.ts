import compression from 'compression';
import express, { type ErrorRequestHandler, type Express, type Request, type Router } from 'express';
import { Failure, fail } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { createBareApp } from './bare-app.ts';
import { answerErrors } from './errors.ts';
import { isKnownHost, originOf } from './origin.ts';

/** What the page of recipients loads. */
const CONTENT_SECURITY_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'blob:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  workerSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};
/** Recipients send codes and parts of pages. */
const MAX_BODY = '16kb';
/** Reads the body of an endpoint: one that is too large or malformed must not differ where there is no endpoint. */
export const readRecipientBody = express.json({ limit: MAX_BODY });
const METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE']);

export interface ShareAppOptions {
  routers: Router[];
  /** Answers preflights of browsers; Express would answer others itself and so tell which addresses exist. */
  preflights: Router;
  /** Folder of the recipients' page; null serves only the API. */
  pageFolder: string | null;
  /** Host names under which recipients reach this service, besides loopback names. */
  publicHosts(): readonly string[];
  isSecure(req: Request): boolean;
  log: Log;
}

/**
 * Creates the application for strangers: what its routers offer, the page of recipients, and nothing else. Every other
 * address, method and host has one and the same reply, so that nobody learns what there is.
 */
export function createShareApp({
  routers,
  preflights,
  pageFolder,
  publicHosts,
  isSecure,
  log,
}: ShareAppOptions): Express {
  const app = createBareApp(CONTENT_SECURITY_POLICY, isSecure);
  app.use((req, res, next) => {
    res.setHeader('Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()');
    // Links and documents must not be found again in caches, nor by search engines.
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('X-Robots-Tag', 'noindex, nofollow');
    next(isKnownHost(req, publicHosts()) ? undefined : fail('request.not_found'));
  });
  app.use(preflights);
  app.use((req, _res, next) => next(METHODS.has(req.method) ? undefined : fail('request.not_found')));
  for (const router of routers) app.use(router);
  if (pageFolder !== null) servePage(app, pageFolder);
  app.use(() => {
    throw fail('request.not_found');
  });
  app.use(((error: unknown, _req, _res, next) => {
    // An address that can't be decoded is one that does not exist.
    next(error instanceof URIError ? fail('request.not_found') : error);
  }) satisfies ErrorRequestHandler);
  app.use(answerErrors(log));
  return app;
}

/** Whether the browser reached this service with TLS: a proxy says so, or its public address does. */
export const isSecureRequest = (req: Request, publicAddress: string): boolean =>
  originOf(req).startsWith('https:') ||
  (publicAddress.startsWith('https:') && req.headers.host?.toLowerCase() === new URL(publicAddress).host);

/** The page is the same for every link: whether a link is valid, only a code tells. */
function servePage(app: Express, folder: string): void {
  app.use(
    '/share/assets',
    // Refusals stay as they are: what they look like tells nothing.
    compression({ filter: (req, res) => res.statusCode < 400 && compression.filter(req, res) }),
    express.static(`${folder}/assets`, {
      index: false,
      redirect: false,
      setHeaders: (res) => void res.setHeader('Cache-Control', 'public, max-age=31536000, immutable'),
    }),
  );
  app.get(/^\/share\/[\w-]{1,200}$/, (_req, res, next) => {
    res.sendFile('share.html', { root: folder }, (error) => {
      if (error) next(error instanceof Failure ? error : fail('request.not_found'));
    });
  });
}
