import type { MessageBoxOptions } from 'electron';
import type { ShellTexts } from '../../../src-shared/contract/menu-labels.ts';

const MAX_LENGTH = 2000;
const SHOWN_LENGTH = 300;

export interface LinkDeps {
  /** Addresses, without path, that a page of Hearth may lead to. */
  allowed(): readonly string[];
  texts(): ShellTexts;
  ask(options: MessageBoxOptions): Promise<{ response: number }>;
  open(url: string): Promise<void>;
}

/** Opens an allowed address in the browser after the user has agreed; refuses any other one. */
export async function openExternal({ allowed, texts, ask, open }: LinkDeps, address: string): Promise<boolean> {
  const url = address.length <= MAX_LENGTH && URL.canParse(address) ? new URL(address) : null;
  // `origin` of any other scheme is "null".
  if (!url || url.username !== '' || url.password !== '' || !allowed().includes(url.origin)) return false;
  const { external, external_yes: yes, cancel } = texts();
  const { response } = await ask({
    type: 'question',
    message: external,
    detail: url.href.slice(0, SHOWN_LENGTH),
    buttons: [yes, cancel],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response !== 0) return false;
  await open(url.href);
  return true;
}
