import express, { type Express, type Request } from 'express';
import helmet from 'helmet';

const YEAR_S = 365 * 86_400;

/**
 * Creates an application without handlers, whose replies have the headers that every service of Hearth sends.
 * `contentSecurityPolicy` is what its pages may load, by the directive in camel case; `isSecure` tells whether the
 * browser reached the service with TLS.
 */
export function createBareApp(
  contentSecurityPolicy: Readonly<Record<string, readonly string[]>>,
  isSecure: (req: Request) => boolean,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy },
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'no-referrer' },
      xFrameOptions: { action: 'deny' },
    }),
  );
  app.use((req, res, next) => {
    if (isSecure(req)) res.setHeader('Strict-Transport-Security', `max-age=${YEAR_S}`);
    next();
  });
  return app;
}
