import type { en } from './en.ts';

/**
 * Namespaces of the catalogues and their keys. A page that is loaded later adds its own by merging:
 * `declare module '../../app/i18n/catalogues.ts' { interface Catalogues { document: typeof en } }`.
 */
export interface Catalogues {
  app: typeof en;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: Catalogues;
  }
}
