import type { Messages } from '../../locales/en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: Messages;
  }
}
